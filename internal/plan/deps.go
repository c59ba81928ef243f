package plan

import (
	"slices"
)

// referents is the set of what an id refers to in a plan: more than one thing
// if the id is used twice.
type referents uint8

const (
	pendingTask referents = 1 << iota
	otherTask             // done, or in a state that we do not know
	openIssue
)

func (r *Record) referents() referents {
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

// blocks reports whether a task that depends on the id is blocked by it.
func (h referents) blocks() bool { return h&(pendingTask|openIssue) != 0 }

// missing reports whether the plan has neither a task nor an issue of the id.
func (h referents) missing() bool { return h == 0 }

// referents scans the plan for an id; DepIndex is for many ids.
func (p *Plan) referents(id string) referents {
	var h referents
	for i := range p.records {
		if r := &p.records[i]; r.keptText(keptID) == id {
			h |= r.referents()
		}
	}
	return h
}

// BlockedBy returns the open dependencies of a task: pending tasks and issues
// of the plan.
func (p *Plan) BlockedBy(task Record) []string { return depsThat(&task, p.referents, referents.blocks) }

// DanglingDeps returns the dependencies of a task that are not in the plan.
// They do not block it.
func (p *Plan) DanglingDeps(task Record) []string {
	return depsThat(&task, p.referents, referents.missing)
}

// A DepIndex computes BlockedBy and DanglingDeps for many tasks without a scan
// of the plan for each. It does not follow later changes of the plan.
type DepIndex struct {
	ids map[string]referents
}

// DepIndex returns the index of the plan as it is now.
func (p *Plan) DepIndex() *DepIndex {
	x := &DepIndex{make(map[string]referents, len(p.records))}
	for i := range p.records {
		if h := p.records[i].referents(); h != 0 {
			x.ids[p.records[i].ID()] |= h
		}
	}
	return x
}

func (x *DepIndex) referents(id string) referents { return x.ids[id] }

// BlockedBy returns the open dependencies of a task; see Plan.BlockedBy.
func (x *DepIndex) BlockedBy(task *Record) []string {
	return depsThat(task, x.referents, referents.blocks)
}

// DanglingDeps returns the dependencies that are not in the plan; see Plan.DanglingDeps.
func (x *DepIndex) DanglingDeps(task *Record) []string {
	return depsThat(task, x.referents, referents.missing)
}

// Blocked reports whether a task has an open dependency.
func (x *DepIndex) Blocked(task *Record) bool {
	for dep := range task.keptValue(keptDeps).All() {
		if id, _ := dep.Str(); x.referents(id).blocks() {
			return true
		}
	}
	return false
}

func depsThat(task *Record, lookUp func(id string) referents, matches func(referents) bool) []string {
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
	among := SetOf(ids)
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

// SetOf makes a set of a list.
func SetOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}
