package merge

import (
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// repairDeps corrects dependencies of records of a kind, tasks or items, that no single record shows to be wrong:
// those on a task that others replaced, and those that make records wait for each
// other (docs/merge.md, "Dependencies").
func (m *merger) repairDeps(kind plan.Kind) {
	followed := kind == plan.KindTask && m.followHeirs()
	var added []edge
	var bySide [inputs]bool
	m.reconsiderDropped(kind)
	for _, e := range m.entries {
		if e.kind != kind || !e.alive {
			continue
		}
		deps := e.added()
		if e.hasDropped {
			deps, followed = distinct(depsOf(e.out)), true
		}
		for side := range bySide {
			if len(deps) == 0 || bySide[side] || !e.was[side].there {
				continue
			}
			has := plan.SetOf(depsOf(e.was[side].rec))
			bySide[side] = slices.ContainsFunc(deps, func(dep string) bool { return has[dep] })
		}
		for _, dep := range deps {
			added = append(added, edge{e.id, dep})
		}
		followed = followed || e.restored
	}
	if len(added) == 0 || !followed && !(bySide[one] && bySide[two]) {
		return // a cycle that one side made alone stays
	}
	if added = m.waitedFor(kind, added); len(added) == 0 {
		return
	}
	g := m.newGraph(kind, result)
	var from []string
	for _, e := range added {
		from = append(from, e.from)
	}
	if found := g.cyclic(from); len(found) > 0 {
		m.dropEdges(g, found)
	}
}

// reconsiderDropped restores dependencies that an earlier merge dropped, if any
// dependency has changed. Whether they close a cycle is then decided again:
// clones that merge in different orders would otherwise drop different ones.
func (m *merger) reconsiderDropped(kind plan.Kind) {
	changed := func(e *entry) bool {
		return e.kind == kind && !(e.alive && slices.Equal(depsOf(e.was[base].rec), depsOf(e.out)))
	}
	if !slices.ContainsFunc(m.entries, changed) {
		return
	}
	for _, e := range m.entries {
		if e.kind == kind {
			e.reconsiderDeps()
		}
	}
	if !strings.Contains(m.in[base].data, nested) {
		return
	}
	for at, l := range m.untouched() {
		if l.Kind == kind && strings.Contains(l.Text, nested) {
			m.untouchedEntry(at).reconsiderDeps()
		}
	}
}

// nested occurs in every record with recorded dependencies, which are a list of
// lists.
const nested = "[["

// split separates the candidates of dependencies that are lists of ids from the
// others.
func split(recorded *valueSet) (lists, odd *valueSet) {
	lists, odd = newCandidates(), newCandidates()
	for _, v := range recorded.all {
		if plan.CanHold(plan.KindTask, "deps", v) {
			lists.add(v)
		} else {
			odd.add(v)
		}
	}
	return lists, odd
}

func (e *entry) reconsiderDeps() {
	if _, recorded := e.out.Get("conflict"); !e.alive || !recorded {
		return
	}
	field, held := e.kind.WaitsField(), conflictsOf(e.out)
	lists, odd := split(held.of(field))
	if len(choice{all: lists}.union()) == 0 {
		return // nothing was dropped
	}
	if len(odd.all) > 0 && !holdsUnion(lists) {
		return // recorded by hand
	}
	e.before = e.out
	shown, _ := e.out.Get(field)
	all := choice{shown: shown, all: lists}.union()
	delete(held, field)
	held.add(field, odd.all...)
	e.out = setConflict(setDeps(e.out, all), held)
	e.hasDropped = true
}

// holdsUnion reports whether one of several lists has all that the others have,
// as those have that one merge records.
func holdsUnion(lists *valueSet) bool {
	all := choice{all: lists}.union()
	return slices.ContainsFunc(lists.all, func(v jsonl.Value) bool { return len(distinct(elementsOf(v))) == len(all) })
}

// waitedFor returns the edges of records that others may wait for. Records that are
// the same everywhere do not wait for a new one.
func (m *merger) waitedFor(kind plan.Kind, edges []edge) []edge {
	open := map[string]bool{}
	for _, e := range m.entries {
		if e.kind == kind && (e.was[base].there || e.hasDropped) {
			open[e.id] = true
		}
		if e.kind == kind && e.alive {
			for _, dep := range depsOf(e.out) {
				open[dep] = true
			}
		}
	}
	return slices.DeleteFunc(edges, func(e edge) bool { return !open[e.from] })
}

// added returns what a record depends on now and did not in the base.
func (e *entry) added() []string {
	before := plan.SetOf(depsOf(e.was[base].rec))
	return slices.DeleteFunc(distinct(depsOf(e.out)), func(dep string) bool { return before[dep] })
}

// setDeps returns a record with other dependencies, and without the field if
// there are none.
func setDeps(r plan.Record, deps []string) plan.Record {
	field := r.Kind().WaitsField()
	if len(deps) > 0 {
		return set(r, field, listOf(deps))
	}
	all := slices.DeleteFunc(members(r), func(m jsonl.Member) bool { return m.Name == field })
	return plan.MakeRecord(r.Kind(), all)
}

// setConflict returns a record with other recorded conflicts, and without the
// field if there are none.
func setConflict(r plan.Record, held candidates) plan.Record {
	if v := held.value(); v != "" {
		return set(r, "conflict", v)
	}
	all := slices.DeleteFunc(members(r), func(m jsonl.Member) bool { return m.Name == "conflict" })
	return plan.MakeRecord(r.Kind(), all)
}

// dropEdges breaks up the cycles that neither side had by itself. Their edges
// are tried one after the other, in sorted order, and those that close a cycle
// are dropped. Which of them the base had does not count: otherwise clones that
// merge the same edges in different orders would drop different ones. The
// dependencies with the dropped ones are recorded.
func (m *merger) dropEdges(g *graph, found map[string]int32) {
	own := m.ownEdges(g.kind, found)
	records := m.records(g)
	for _, ids := range cycleGroups(found) {
		group := g.cycleGroup(ids, own)
		kept, dropped := group.breakCycles()
		byRecord := map[string][]Conflict{}
		for _, d := range dropped {
			id := ids[d.from]
			byRecord[id] = append(byRecord[id], Conflict{ID: id, Field: g.kind.WaitsField(), Dep: ids[d.to], Cycle: group.cycle(kept, d)})
		}
		for _, id := range slices.Sorted(maps.Keys(byRecord)) {
			m.recordDeps(records(id), byRecord[id])
		}
		m.steps += group.steps + group.pathSteps
	}
}

// cycleGroups returns the groups of records that wait for each other, sorted.
func cycleGroups(found map[string]int32) [][]string {
	byPart := map[int32][]string{}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		byPart[found[id]] = append(byPart[found[id]], id)
	}
	return slices.SortedFunc(maps.Values(byPart), func(a, b []string) int { return strings.Compare(a[0], b[0]) })
}

// ownEdges returns the edges of cycles that a side had by itself, among some records.
func (m *merger) ownEdges(kind plan.Kind, among map[string]int32) map[edge]bool {
	own := map[edge]bool{}
	ids := slices.Sorted(maps.Keys(among))
	for _, side := range [...]int{one, two} {
		g := m.newGraph(kind, func(e *entry) version { return e.was[side] })
		found := g.cyclic(ids)
		for _, id := range ids {
			part, isCyclic := found[id]
			for _, dep := range g.of(id) {
				if other, also := found[dep]; isCyclic && also && part == other {
					own[edge{id, dep}] = true
				}
			}
		}
	}
	return own
}

// cycleGroup returns the edges among records that wait for each other.
func (g *graph) cycleGroup(ids []string, own map[edge]bool) *cycleGroup {
	group := &cycleGroup{ids: ids, fixed: make([][]int32, len(ids)), tried: make([][]int32, len(ids))}
	at := make(map[string]int32, len(ids))
	for i, id := range ids {
		at[id] = int32(i)
	}
	for i, id := range ids {
		for _, dep := range slices.Sorted(slices.Values(g.of(id))) {
			to, inside := at[dep]
			switch {
			case !inside:
				continue
			case own[edge{id, dep}]:
				group.fixed[i] = append(group.fixed[i], to)
			default:
				group.tried[i] = append(group.tried[i], to)
			}
			group.edges++
		}
	}
	return group
}

// cycle returns the cycle that an edge would close, for messages, or "" if that would take too long.
func (c *cycleGroup) cycle(kept [][]int32, d droppedEdge) string {
	back := c.path(kept, d.to, d.from)
	if back == nil {
		return ""
	}
	names := []string{c.ids[d.from]}
	for _, at := range slices.Backward(back) {
		names = append(names, c.ids[at])
	}
	return strings.Join(names, " -> ")
}

// records returns a function that returns the entry of a record of the result, and
// makes one for a record that is the same in all inputs.
func (m *merger) records(g *graph) func(id string) *entry {
	byID := map[string]*entry{}
	for _, e := range m.entries {
		if e.kind == g.kind && e.alive {
			byID[e.id] = e
		}
	}
	return func(id string) *entry {
		if byID[id] == nil {
			byID[id] = m.untouchedEntry(g.untouched[id])
		}
		return byID[id]
	}
}

// recordDeps drops dependencies of a record, and records the dependencies with and without them.
func (m *merger) recordDeps(e *entry, dropped []Conflict) {
	field, gone := e.kind.WaitsField(), map[string]bool{}
	for _, c := range dropped {
		gone[c.Dep] = true
	}
	all := distinct(depsOf(e.out))
	kept := slices.DeleteFunc(slices.Clone(all), func(dep string) bool { return gone[dep] })
	known := func(v version) bool { return v.there && conflictsOf(v.rec).has(field, listOf(all)) }
	if !known(e.was[one]) && !known(e.was[two]) {
		m.conflicts = append(m.conflicts, dropped...)
	}
	held := conflictsOf(e.out)
	_, odd := split(held.of(field))
	delete(held, field)
	held.add(field, listOf(all), listOf(kept))
	held.add(field, odd.all...)
	e.out = setConflict(setDeps(e.out, kept), held)
	if jsonl.EqualObjects(e.out.Object(), e.before.Object()) {
		e.out = e.before
	}
}
