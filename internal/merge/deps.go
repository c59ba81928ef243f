package merge

import (
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// settleDeps puts dependencies right that no record shows to be wrong by
// itself: those on a task that others took the place of, and those that make
// tasks wait for each other (docs/merge.md, "Dependencies").
func (m *merger) settleDeps() {
	followed := m.followHeirs()
	var added []edge
	var bySide [inputs]bool
	m.reopen()
	for _, e := range m.entries {
		if e.kind != plan.KindTask || !e.alive {
			continue
		}
		deps := e.added()
		if e.reopened {
			deps, followed = distinct(e.out.Deps()), true
		}
		for _, dep := range deps {
			added = append(added, edge{e.id, dep})
			for side := range bySide {
				bySide[side] = bySide[side] || e.was[side].there && slices.Contains(e.was[side].rec.Deps(), dep)
			}
		}
		followed = followed || e.restored
	}
	if len(added) == 0 || !followed && !(bySide[one] && bySide[two]) {
		return // a cycle that one side made alone, it has anyway
	}
	if added = m.waitedFor(added); len(added) == 0 {
		return
	}
	g := m.newGraph(func(e *entry) version { return version{rec: e.out, there: e.alive} })
	if g.hasCycle(added) {
		m.dropEdges(g, added)
	}
}

// reopen takes dependencies back that a merge dropped, if any task of the
// result waits for others than before. Whether they close a cycle is seen anew:
// clones that merge in different orders would otherwise drop different ones.
func (m *merger) reopen() {
	changed := func(e *entry) bool {
		return e.kind == plan.KindTask && !(e.alive && slices.Equal(e.was[base].rec.Deps(), e.out.Deps()))
	}
	if !slices.ContainsFunc(m.entries, changed) {
		return
	}
	for _, e := range m.entries {
		e.reopen()
	}
	if !strings.Contains(m.in[base].data, recordedDeps) {
		return
	}
	for at, l := range m.untouched() {
		if l.Kind == plan.KindTask && strings.Contains(l.Text, recordedDeps) {
			m.untouchedEntry(at).reopen()
		}
	}
}

// recordedDeps begins what a merge writes where it dropped dependencies.
const recordedDeps = `"deps": [[`

func (e *entry) reopen() {
	held := conflictsOf(e.out)
	if e.kind != plan.KindTask || !e.alive || len(held["deps"]) == 0 {
		return
	}
	e.before = e.out
	all := choice{shown: get(members(e.out), "deps"), all: held["deps"]}.union()
	delete(held, "deps")
	e.out = setConflict(setDeps(e.out, all), held)
	e.reopened = true
}

// waitedFor returns the edges of tasks that others may wait for. Nothing that
// is the same everywhere waits for a new task.
func (m *merger) waitedFor(edges []edge) []edge {
	open := map[string]bool{}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && (e.was[base].there || e.reopened) {
			open[e.id] = true
		}
		if e.alive {
			for _, dep := range e.out.Deps() {
				open[dep] = true
			}
		}
	}
	return slices.DeleteFunc(edges, func(e edge) bool { return !open[e.from] })
}

// added returns what a task depends on now and did not in the base.
func (e *entry) added() []string {
	before := e.was[base].rec.Deps()
	return slices.DeleteFunc(distinct(e.out.Deps()), func(dep string) bool { return slices.Contains(before, dep) })
}

// followHeirs makes new dependencies on a task that left follow to the tasks
// that took its place: those that name it in "parent" or "supersedes". It tells
// whether there were any.
func (m *merger) followHeirs() bool {
	gone := map[string]bool{}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && !e.alive {
			gone[e.id] = true
		}
	}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && e.alive {
			delete(gone, e.id)
		}
	}
	heirs := map[string][]string{}
	for _, e := range m.entries {
		if len(gone) == 0 || e.kind != plan.KindTask || !e.alive {
			continue
		}
		for _, link := range distinct([]string{e.out.Text("parent"), e.out.Text("supersedes")}) {
			if gone[link] {
				heirs[link] = append(heirs[link], e.id)
			}
		}
	}
	if len(heirs) == 0 {
		return false
	}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && e.alive {
			e.inherit(heirs)
		}
	}
	return true
}

// inherit follows the new dependencies of one task.
func (e *entry) inherit(heirs map[string][]string) {
	added := e.added()
	var deps []string
	seen := map[string]bool{e.id: true}
	var follow func(dep string)
	follow = func(dep string) {
		if seen[dep] {
			return
		}
		seen[dep] = true
		next := heirs[dep]
		if len(next) == 0 {
			deps = append(deps, dep)
		}
		for _, heir := range next {
			follow(heir)
		}
	}
	before := distinct(e.out.Deps())
	for _, dep := range before {
		if slices.Contains(added, dep) && len(heirs[dep]) > 0 {
			follow(dep)
		} else if dep == e.id || !seen[dep] {
			seen[dep] = true
			deps = append(deps, dep)
		}
	}
	if !slices.Equal(before, deps) {
		e.out = setDeps(e.out, deps)
	}
}

// setDeps returns a task with other dependencies; none at all leave no field.
func setDeps(task plan.Record, deps []string) plan.Record {
	if len(deps) > 0 {
		return set(task, "deps", jsonl.List(deps))
	}
	all := slices.DeleteFunc(members(task), func(m jsonl.Member) bool { return m.Name == "deps" })
	return plan.Make(task.Kind(), all)
}

// setConflict returns a record with other recorded conflicts; none at all leave
// no field.
func setConflict(r plan.Record, held candidates) plan.Record {
	if v := held.value(); v != "" {
		return set(r, "conflict", v)
	}
	all := slices.DeleteFunc(members(r), func(m jsonl.Member) bool { return m.Name == "conflict" })
	return plan.Make(r.Kind(), all)
}

// dropEdges breaks up the cycles that neither side had itself. Their edges are
// tried one after the other, in sorted order, and those that close a cycle are
// dropped. Which of them the base had does not count: clones that merge the
// same edges in different orders would otherwise drop different ones. What a
// task would wait for with them is recorded.
func (m *merger) dropEdges(g *graph, added []edge) {
	circular := g.circular(added)
	sides := [...]*graph{
		m.newGraph(func(e *entry) version { return e.was[one] }),
		m.newGraph(func(e *entry) version { return e.was[two] }),
	}
	circular = slices.DeleteFunc(circular, func(a edge) bool {
		return slices.ContainsFunc(sides[:], func(g *graph) bool { return slices.Contains(g.of(a.from), a.to) && g.leads(a.to, a.from) })
	})
	for _, a := range circular {
		g.deps[a.from] = slices.DeleteFunc(slices.Clone(g.of(a.from)), func(dep string) bool { return dep == a.to })
	}
	dropped := map[string]bool{}
	for _, a := range circular {
		if g.leads(a.to, a.from) {
			dropped[a.from] = true
		} else {
			g.deps[a.from] = append(g.deps[a.from], a.to)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(dropped)) {
		m.recordDeps(m.task(id, g), g.deps[id])
	}
}

// task returns the entry of a task of the result, one of its own for a task
// that is the same in all inputs.
func (m *merger) task(id string, g *graph) *entry {
	for _, e := range m.entries {
		if e.kind == plan.KindTask && e.alive && e.id == id {
			return e
		}
	}
	return m.untouchedEntry(g.untouched[id])
}

func (m *merger) recordDeps(e *entry, left []string) {
	all := distinct(e.out.Deps())
	kept := slices.DeleteFunc(slices.Clone(all), func(dep string) bool { return !slices.Contains(left, dep) })
	known := func(v version) bool { return v.there && conflictsOf(v.rec).has("deps", jsonl.List(all)) }
	if !known(e.was[one]) && !known(e.was[two]) {
		m.conflicts = append(m.conflicts, Conflict{ID: e.id, Field: "deps"})
	}
	held := conflictsOf(e.out)
	delete(held, "deps")
	held.add("deps", jsonl.List(all))
	held.add("deps", jsonl.List(kept))
	e.out = setConflict(setDeps(e.out, kept), held)
	if sameObject(members(e.out), members(e.before)) {
		e.out = e.before
	}
}
