package plan

import (
	"slices"
	"strings"
)

// Waits returns the deps that hold a task back now: tasks that are in the plan
// and not done, and issues that are in the plan.
func (p *Plan) Waits(task Record) []string {
	var waits []string
	for _, dep := range task.Deps() {
		if r, found := p.Task(dep); found && !r.Done() {
			waits = append(waits, dep)
		} else if _, found := p.Issue(dep); found {
			waits = append(waits, dep)
		}
	}
	return waits
}

// Dangling returns the deps of a task that are not in the plan. They hold
// nothing back.
func (p *Plan) Dangling(task Record) []string {
	return slices.DeleteFunc(task.Deps(), func(dep string) bool {
		_, isTask := p.Task(dep)
		_, isIssue := p.Issue(dep)
		return isTask || isIssue
	})
}

// Dependants returns the ids of the tasks that depend on any of ids and are
// not themselves among them, in the order of the file.
func (p *Plan) Dependants(ids ...string) []string {
	var found []string
	for _, r := range p.records {
		if r.kind != KindTask || slices.Contains(ids, r.id) {
			continue
		}
		if slices.ContainsFunc(r.Deps(), func(dep string) bool { return slices.Contains(ids, dep) }) {
			found = append(found, r.id)
		}
	}
	return found
}

// Cycle returns a cycle of tasks that depend on each other, as ids of which
// each depends on the next and the last is the first again, or nil.
func (p *Plan) Cycle() []string {
	walk := cycleWalk{deps: map[string][]string{}, state: map[string]int{}}
	for _, r := range p.records {
		if r.kind == KindTask {
			walk.deps[r.id] = r.Deps()
		}
	}
	for _, r := range p.records {
		if r.kind == KindTask && walk.visit(r.id) {
			slices.Reverse(walk.cycle)
			return walk.cycle
		}
	}
	return nil
}

// cycleWalk is a depth-first search. It keeps its own stack, since a chain of
// tasks may be as long as the plan.
type cycleWalk struct {
	deps  map[string][]string
	state map[string]int // 0 new, 1 on the path, 2 done
	cycle []string       // from its end to its beginning
}

type cycleStep struct {
	id   string
	next int // which dep comes next
}

// visit reports whether a cycle can be reached from a task.
func (w *cycleWalk) visit(start string) bool {
	if w.state[start] != 0 {
		return false
	}
	w.state[start] = 1
	path := []cycleStep{{id: start}}
	for len(path) > 0 {
		top := &path[len(path)-1]
		deps := w.deps[top.id]
		if top.next == len(deps) {
			w.state[top.id] = 2
			path = path[:len(path)-1]
			continue
		}
		dep := deps[top.next]
		top.next++
		if _, isTask := w.deps[dep]; !isTask || w.state[dep] == 2 {
			continue
		}
		if w.state[dep] == 1 {
			w.close(path, dep)
			return true
		}
		w.state[dep] = 1
		path = append(path, cycleStep{id: dep})
	}
	return false
}

// close notes the cycle that an edge back to a task on the path makes.
func (w *cycleWalk) close(path []cycleStep, back string) {
	w.cycle = []string{back}
	for i := len(path) - 1; ; i-- {
		w.cycle = append(w.cycle, path[i].id)
		if path[i].id == back {
			return
		}
	}
}

// A CycleError says that a change would make tasks wait for each other.
type CycleError struct {
	Cycle []string // ids, each waiting for the next; the first stands again at the end
}

func (e *CycleError) Error() string {
	return "tasks would wait for each other: " + strings.Join(e.Cycle, " -> ")
}
