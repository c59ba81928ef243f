package merge

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// An edge says that one task waits for another task or issue.
type edge struct{ from, to string }

// settleDeps puts dependencies right that no record shows to be wrong by
// itself: those on a task that others took the place of, and those that make
// tasks wait for each other (docs/merge.md, "Dependencies").
func (m *merger) settleDeps() {
	followed := m.followHeirs()
	var added []edge
	var bySide [inputs]bool
	for _, e := range m.entries {
		if e.kind != plan.KindTask || !e.alive {
			continue
		}
		for _, dep := range e.added() {
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

// waitedFor returns the edges of tasks that others may wait for. Nothing that
// is the same everywhere waits for a new task.
func (m *merger) waitedFor(edges []edge) []edge {
	open := map[string]bool{}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && e.was[base].there {
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

// dropEdges tries the added edges one after the other, in sorted order, and
// drops those that close a cycle that neither side had itself. What a task
// would depend on with them is recorded.
func (m *merger) dropEdges(g *graph, added []edge) {
	slices.SortFunc(added, func(a, b edge) int {
		return cmp.Or(strings.Compare(a.from, b.from), strings.Compare(a.to, b.to))
	})
	for _, a := range added {
		g.deps[a.from] = slices.DeleteFunc(slices.Clone(g.of(a.from)), func(dep string) bool { return dep == a.to })
	}
	sides := [...]*graph{
		m.newGraph(func(e *entry) version { return e.was[one] }),
		m.newGraph(func(e *entry) version { return e.was[two] }),
	}
	own := func(a edge) bool {
		return slices.ContainsFunc(sides[:], func(g *graph) bool { return slices.Contains(g.of(a.from), a.to) && g.leads(a.to, a.from) })
	}
	dropped := map[string]bool{}
	for _, a := range added {
		if g.leads(a.to, a.from) && !own(a) {
			dropped[a.from] = true
		} else {
			g.deps[a.from] = append(g.deps[a.from], a.to)
		}
	}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && e.alive && dropped[e.id] {
			m.recordDeps(e, g.deps[e.id])
		}
	}
}

func (m *merger) recordDeps(e *entry, left []string) {
	all := distinct(e.out.Deps())
	kept := slices.DeleteFunc(slices.Clone(all), func(dep string) bool { return !slices.Contains(left, dep) })
	held := conflictsOf(e.out)
	fresh := !held.has("deps", jsonl.List(all))
	held.add("deps", jsonl.List(all))
	held.add("deps", jsonl.List(kept))
	e.out = set(setDeps(e.out, kept), "conflict", held.value())
	if fresh {
		m.conflicts = append(m.conflicts, Conflict{ID: e.id, Field: "deps"})
	}
}

// A graph is what the tasks of a plan depend on. Tasks that are the same
// in all inputs are read when a search first comes to them.
type graph struct {
	m         *merger
	deps      map[string][]string
	untouched map[string]string // lines, by id
}

// newGraph returns the graph of the plan that has the given version of each
// entry.
func (m *merger) newGraph(of func(e *entry) version) *graph {
	g := &graph{m: m, deps: map[string][]string{}, untouched: map[string]string{}}
	for _, e := range m.entries {
		if v := of(e); e.kind == plan.KindTask && v.there {
			g.deps[e.id] = distinct(v.rec.Deps())
		}
	}
	for l := range m.untouched() {
		if l.Kind == plan.KindTask {
			g.untouched[l.ID] = l.Text
		}
	}
	return g
}

// of returns what a task depends on. What is no task depends on nothing.
func (g *graph) of(id string) []string {
	deps, known := g.deps[id]
	if line, found := g.untouched[id]; found && !known {
		rec, _ := g.m.reader.Record(jsonl.Line{Text: line})
		deps = rec.Deps()
		g.deps[id] = deps
	}
	return deps
}

// leads tells whether a task is another one, or waits for it through others.
func (g *graph) leads(from, to string) bool {
	seen := map[string]bool{from: true}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return true
		}
		for _, dep := range g.of(queue[0]) {
			if !seen[dep] {
				seen[dep] = true
				queue = append(queue, dep)
			}
		}
	}
	return false
}

// hasCycle tells whether there is a cycle that can be reached over any of some
// edges. It takes away, again and again, what waits for nothing that is left.
func (g *graph) hasCycle(edges []edge) bool {
	waits := map[string]int{}
	dependants := map[string][]string{}
	var queue, ready []string
	for _, e := range edges {
		queue = append(queue, e.from)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		if _, seen := waits[id]; seen {
			continue
		}
		deps := g.of(id)
		if waits[id] = len(deps); len(deps) == 0 {
			ready = append(ready, id)
		}
		for _, dep := range deps {
			dependants[dep] = append(dependants[dep], id)
			queue = append(queue, dep)
		}
	}
	left := len(waits)
	for ; len(ready) > 0; ready = ready[1:] {
		left--
		for _, id := range dependants[ready[0]] {
			if waits[id]--; waits[id] == 0 {
				ready = append(ready, id)
			}
		}
	}
	return left > 0
}
