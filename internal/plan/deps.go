package plan

import (
	"slices"
	"strings"
)

// holding is what a plan has under one id. With ids that stand twice it may be
// several things at once.
type holding uint8

const (
	pendingTask holding = 1 << iota
	doneTask
	openIssue
)

func (r Record) holding() holding {
	switch {
	case r.kind == KindIssue:
		return openIssue
	case r.kind != KindTask:
		return 0
	case r.Done():
		return doneTask
	}
	return pendingTask
}

// holdsBack tells whether a task that depends on the id has to wait.
func (h holding) holdsBack() bool { return h&(pendingTask|openIssue) != 0 }

// missing tells whether the plan has neither a task nor an issue of the id.
func (h holding) missing() bool { return h == 0 }

// holding looks an id up by going through the plan; see Index for many ids.
func (p *Plan) holding(id string) holding {
	var h holding
	for _, r := range p.records {
		if r.id == id {
			h |= r.holding()
		}
	}
	return h
}

// Waits returns the deps that hold a task back now: tasks that are in the plan
// and not done, and issues that are in the plan.
func (p *Plan) Waits(task Record) []string { return depsThat(task, p.holding, holding.holdsBack) }

// Dangling returns the deps of a task that are not in the plan. They hold
// nothing back.
func (p *Plan) Dangling(task Record) []string { return depsThat(task, p.holding, holding.missing) }

// An Index answers for all tasks of a plan what Waits and Dangling of Plan
// answer for one. It knows the plan as it was when the index was made.
type Index struct{ ids map[string]holding }

// Index makes an index of the plan.
func (p *Plan) Index() Index {
	ids := make(map[string]holding, len(p.records))
	for _, r := range p.records {
		if h := r.holding(); h != 0 {
			ids[r.id] |= h
		}
	}
	return Index{ids}
}

func (x Index) holding(id string) holding { return x.ids[id] }

// Waits returns the deps that hold a task back now; see Plan.Waits.
func (x Index) Waits(task Record) []string { return depsThat(task, x.holding, holding.holdsBack) }

// Dangling returns the deps that are not in the plan; see Plan.Dangling.
func (x Index) Dangling(task Record) []string { return depsThat(task, x.holding, holding.missing) }

func depsThat(task Record, lookUp func(id string) holding, matches func(holding) bool) []string {
	var found []string
	for _, dep := range task.Deps() {
		if matches(lookUp(dep)) {
			found = append(found, dep)
		}
	}
	return found
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
