package plan

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// A CycleError says that a change would make tasks, or items, wait for each other.
type CycleError struct {
	Kind  Kind
	Cycle []string // ids, each waiting for the next; the first is repeated at the end
}

func (e *CycleError) Error() string {
	return string(e.Kind) + "s would wait for each other: " + strings.Join(e.Cycle, " -> ")
}

// Cycles yields cycles of records of a kind, tasks or items, that wait for each other. Each is a list of ids
// that wait for the next one; the last is the first again. No record is in two of
// them, so breaking up all of them may reveal others.
func (p *Plan) Cycles(kind Kind) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		graph := p.graph(kind)
		for i := range p.records {
			if r := &p.records[i]; r.kind == kind && !graph.walk(r.ID(), yield) {
				return
			}
		}
	}
}

// checkCycles returns a *CycleError if a change makes a task or an item wait for itself,
// directly or through others. A cycle that existed before is no error.
func (p *Plan) checkCycles(before []Record, c Change) error {
	return cmp.Or(p.checkCyclesOf(KindTask, before, c), p.checkCyclesOf(KindItem, before, c))
}

func (p *Plan) checkCyclesOf(kind Kind, before []Record, c Change) error {
	edges := newDeps(kind, before, c)
	if len(edges) == 0 {
		return nil
	}
	graph := p.graph(kind)
	none := func([]string) bool { return false }
	if !slices.ContainsFunc(edges, func(e newEdges) bool { return !graph.walk(e.id, none) }) {
		return nil
	}
	for _, e := range edges {
		if cycle := graph.through(e.id, e.deps); cycle != nil {
			return &CycleError{Kind: kind, Cycle: cycle}
		}
	}
	return nil
}

// newEdges lead from a record to what it waits for and did not before.
type newEdges struct {
	id   string
	deps []string
}

// newDeps returns the dependencies that records of a kind did not have before.
func newDeps(kind Kind, before []Record, c Change) []newEdges {
	had := map[string][]string{}
	var added []newEdges
	for _, r := range c.Records {
		if deps := r.WaitsFor(); r.kind == kind && len(deps) > 0 {
			had[r.ID()] = nil
			added = append(added, newEdges{r.ID(), deps})
		}
	}
	for i := range before {
		r := &before[i]
		if _, wanted := had[r.ID()]; wanted && r.kind == kind {
			had[r.ID()] = r.WaitsFor()
		}
	}
	for i, e := range added {
		added[i].deps = slices.DeleteFunc(e.deps, func(dep string) bool { return slices.Contains(had[e.id], dep) })
	}
	return slices.DeleteFunc(added, func(e newEdges) bool { return len(e.deps) == 0 })
}

// A graph is the dependencies of the tasks, or of the items, of a plan, and the state of a search
// for cycles in it.
type graph struct {
	deps  map[string][]string
	state map[string]visit
}

type visit uint8

const (
	unseen  visit = iota
	onPath        // of the search
	settled       // nothing new can be found from here
)

func (p *Plan) graph(kind Kind) graph {
	g := graph{deps: make(map[string][]string, len(p.records)), state: make(map[string]visit, len(p.records))}
	for i := range p.records {
		if r := &p.records[i]; r.kind == kind {
			g.deps[r.ID()] = r.WaitsFor()
		}
	}
	return g
}

// A step is a task on the path of a search, and which of its deps comes next.
type step struct {
	id   string
	next int
}

// walk searches depth first from a task, through all tasks not seen yet, and
// yields the cycles that it finds. It keeps its own stack: a chain of tasks may
// be as long as the plan. It reports whether to go on.
func (g graph) walk(start string, yield func([]string) bool) bool {
	if g.state[start] != unseen {
		return true
	}
	g.state[start] = onPath
	path := []step{{id: start}}
	for len(path) > 0 {
		top := &path[len(path)-1]
		deps := g.deps[top.id]
		if top.next == len(deps) {
			g.state[top.id] = settled
			path = path[:len(path)-1]
			continue
		}
		dep := deps[top.next]
		top.next++
		if _, isTask := g.deps[dep]; !isTask {
			continue
		}
		switch g.state[dep] {
		case onPath:
			if !yield(g.cycle(path, dep)) {
				return false
			}
		case unseen:
			g.state[dep] = onPath
			path = append(path, step{id: dep})
		}
	}
	return true
}

// cycle returns the cycle that an edge back to a task on the path closes, and
// marks its tasks as settled.
func (g graph) cycle(path []step, back string) []string {
	from := slices.IndexFunc(path, func(s step) bool { return s.id == back })
	var ids []string
	for _, s := range path[from:] {
		ids = append(ids, s.id)
		g.state[s.id] = settled
	}
	return append(ids, back)
}

// through returns a shortest cycle that leads from a task through one of deps
// back to it, or nil.
func (g graph) through(id string, deps []string) []string {
	from := map[string]string{} // the task that each was reached from
	for at, queue := id, []string{}; ; at, queue = queue[0], queue[1:] {
		for _, dep := range deps {
			if _, seen := from[dep]; seen {
				continue
			}
			from[dep] = at
			if dep == id {
				return pathBack(from, id)
			}
			queue = append(queue, dep)
		}
		if len(queue) == 0 {
			return nil
		}
		deps = g.deps[queue[0]]
	}
}

// pathBack follows the steps that led to id back to id.
func pathBack(from map[string]string, id string) []string {
	path := []string{id}
	for at := from[id]; at != id; at = from[at] {
		path = append(path, at)
	}
	path = append(path, id)
	slices.Reverse(path)
	return path
}
