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

// A graph is what the tasks of a plan depend on. Tasks that are the same
// in all inputs are read when a search first comes to them.
type graph struct {
	m         *merger
	deps      map[string][]string
	untouched map[string]int32 // lines of the base, by id
}

// newGraph returns the graph of the plan that has the given version of each
// entry.
func (m *merger) newGraph(of func(e *entry) version) *graph {
	g := &graph{m: m, deps: map[string][]string{}, untouched: map[string]int32{}}
	for _, e := range m.entries {
		if v := of(e); e.kind == plan.KindTask && v.there {
			g.deps[e.id] = distinct(v.rec.Deps())
		}
	}
	for i, l := range m.untouched() {
		if l.Kind == plan.KindTask {
			g.untouched[l.ID] = i
		}
	}
	return g
}

// of returns what a task depends on. What is no task depends on nothing.
func (g *graph) of(id string) []string {
	deps, known := g.deps[id]
	if at, found := g.untouched[id]; found && !known {
		rec, _ := g.m.reader.Record(jsonl.Line{Text: g.m.in[base].lines[at].text})
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

// circular returns the edges of cycles that can be reached over any of some
// edges, sorted.
func (g *graph) circular(from []edge) []edge {
	var found []edge
	seen := map[string]bool{}
	var queue []string
	for _, e := range from {
		queue = append(queue, e.from)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		if seen[id] {
			continue
		}
		seen[id] = true
		for _, dep := range g.of(id) {
			queue = append(queue, dep)
			if g.leads(dep, id) {
				found = append(found, edge{id, dep})
			}
		}
	}
	slices.SortFunc(found, func(a, b edge) int {
		return cmp.Or(strings.Compare(a.from, b.from), strings.Compare(a.to, b.to))
	})
	return found
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
