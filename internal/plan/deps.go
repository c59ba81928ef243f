package plan

import (
	"slices"
)

// holding is what a plan has under one id. With ids that stand twice it may be
// several things at once.
type holding uint8

const (
	pendingTask holding = 1 << iota
	otherTask           // done, or of a state that we do not know
	openIssue
)

func (r *Record) holding() holding {
	switch {
	case r.kind == KindIssue:
		return openIssue
	case r.kind != KindTask:
		return 0
	case r.Pending():
		return pendingTask
	}
	return otherTask
}

// holdsBack reports whether a task that depends on the id has to wait.
func (h holding) holdsBack() bool { return h&(pendingTask|openIssue) != 0 }

// missing reports whether the plan has neither a task nor an issue of the id.
func (h holding) missing() bool { return h == 0 }

// holding looks an id up by going through the plan; see Index for many ids.
func (p *Plan) holding(id string) holding {
	var h holding
	for i := range p.records {
		if r := &p.records[i]; r.keptText(keptID) == id {
			h |= r.holding()
		}
	}
	return h
}

// Waits returns the deps that hold a task back now: tasks that are pending, and
// issues that are in the plan.
func (p *Plan) Waits(task Record) []string { return depsThat(task, p.holding, holding.holdsBack) }

// Dangling returns the deps of a task that are not in the plan. They hold
// nothing back.
func (p *Plan) Dangling(task Record) []string { return depsThat(task, p.holding, holding.missing) }

// An Index answers for all tasks of a plan what Waits and Dangling of Plan
// answer for one. It knows the plan as it was when the index was made.
type Index struct {
	ids map[string]holding
}

// Index makes an index of the plan.
func (p *Plan) Index() *Index {
	x := &Index{make(map[string]holding, len(p.records))}
	for i := range p.records {
		if h := p.records[i].holding(); h != 0 {
			x.ids[p.records[i].ID()] |= h
		}
	}
	return x
}

func (x *Index) holding(id string) holding { return x.ids[id] }

// Waits returns the deps that hold a task back now; see Plan.Waits.
func (x *Index) Waits(task Record) []string { return depsThat(task, x.holding, holding.holdsBack) }

// Dangling returns the deps that are not in the plan; see Plan.Dangling.
func (x *Index) Dangling(task Record) []string { return depsThat(task, x.holding, holding.missing) }

// Blocked reports whether anything holds a task back now.
func (x *Index) Blocked(task Record) bool {
	for dep := range task.keptValue(keptDeps).All() {
		if id, _ := dep.Str(); x.holding(id).holdsBack() {
			return true
		}
	}
	return false
}

func depsThat(task Record, lookUp func(id string) holding, matches func(holding) bool) []string {
	var found []string
	for dep := range task.keptValue(keptDeps).All() {
		if id, _ := dep.Str(); matches(lookUp(id)) {
			found = append(found, id)
		}
	}
	return found
}

// Dependants returns the ids of the tasks that depend on any of ids and are
// not themselves among them, in the order of the file.
func (p *Plan) Dependants(ids ...string) []string {
	among := setOf(ids)
	var found []string
	for i := range p.records {
		r := &p.records[i]
		if r.kind == KindTask && !among[r.ID()] && r.dependsOnAny(among) {
			found = append(found, r.ID())
		}
	}
	return found
}

func (r *Record) dependsOnAny(ids map[string]bool) bool {
	return slices.ContainsFunc(r.Deps(), func(dep string) bool { return ids[dep] })
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}
