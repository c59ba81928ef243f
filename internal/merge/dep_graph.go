package merge

import (
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// An edge says that one record waits for another one.
type edge struct{ from, to string }

// A graph is what the tasks of a plan depend on, or what its items are blocked by. Records that are the same in all
// inputs are read when a search first reaches them.
type graph struct {
	m         *merger
	kind      plan.Kind
	deps      map[string][]string
	untouched map[string]int32 // lines of the base, by id
}

// newGraph returns the graph of the plan that has the given version of each
// entry.
func (m *merger) newGraph(kind plan.Kind, of func(e *entry) version) *graph {
	g := &graph{m: m, kind: kind, deps: map[string][]string{}, untouched: map[string]int32{}}
	for _, e := range m.entries {
		if v := of(e); e.kind == kind && v.there {
			g.deps[e.id] = distinct(depsOf(v.rec))
		}
	}
	for i, l := range m.untouched() {
		if l.Kind == kind {
			g.untouched[l.ID] = i
		}
	}
	return g
}

// of returns what a record depends on. One of another kind depends on nothing.
func (g *graph) of(id string) []string {
	deps, known := g.deps[id]
	if at, found := g.untouched[id]; found && !known {
		rec, _ := g.m.reader.Record(jsonl.Line{Text: g.m.in[base].keys[at].Text})
		deps = distinct(depsOf(rec))
		g.deps[id] = deps
	}
	return deps
}

// cyclic returns those of the tasks reachable from some that wait for
// themselves, directly or through others. Those that wait for each other have
// the same number.
func (g *graph) cyclic(from []string) map[string]int32 {
	at := map[string]int32{}
	var ids []string
	var out [][]int32
	number := func(id string) int32 {
		n, found := at[id]
		if !found {
			n = int32(len(ids))
			at[id] = n
			ids = append(ids, id)
		}
		return n
	}
	for _, id := range from {
		number(id)
	}
	for i := 0; i < len(ids); i++ {
		var to []int32
		for _, dep := range g.of(ids[i]) {
			to = append(to, number(dep))
		}
		out = append(out, to)
		g.m.steps += 1 + len(to)
	}
	parts := components(out)
	size := make([]int, len(ids))
	for i, part := range parts {
		size[part]++
		for _, to := range out[i] {
			if int(to) == i {
				size[part]++ // it waits for itself
			}
		}
	}
	found := map[string]int32{}
	for i, part := range parts {
		if size[part] > 1 {
			found[ids[i]] = part
		}
	}
	return found
}

// components numbers the strongly connected components of a graph, by node: one
// that leads to another has the higher number. It keeps its own stack, since a
// chain of tasks may be as long as the plan (Tarjan, 1972).
func components(out [][]int32) []int32 {
	const none = -1
	n := len(out)
	part, low, order := make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range part {
		part[i] = none
	}
	var open, path []int32
	next := make([]int, n) // the edge to follow next
	count, parts := int32(0), int32(0)
	for root := range out {
		if order[root] > 0 {
			continue
		}
		path = append(path, int32(root))
		for len(path) > 0 {
			v := path[len(path)-1]
			if order[v] == 0 {
				count++
				order[v], low[v] = count, count
				open = append(open, v)
			}
			if next[v] < len(out[v]) {
				w := out[v][next[v]]
				next[v]++
				if order[w] == 0 {
					path = append(path, w)
				} else if part[w] == none {
					low[v] = min(low[v], order[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				above := path[len(path)-1]
				low[above] = min(low[above], low[v])
			}
			if low[v] != order[v] {
				continue
			}
			for {
				w := open[len(open)-1]
				open = open[:len(open)-1]
				part[w] = parts
				if w == v {
					break
				}
			}
			parts++
		}
	}
	return part
}
