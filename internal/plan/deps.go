package plan

import (
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/jsonl"
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

// BlockedBy returns what blocks a task: its open dependencies, which are pending tasks and issues of the plan, and the items
// that hold it until a person has looked at them.
func (p *Plan) BlockedBy(task Record) []string {
	return append(depsThat(&task, p.referents, referents.blocks), p.held()[task.ID()]...)
}

// DanglingDeps returns the dependencies of a task that are not in the plan.
// They do not block it.
func (p *Plan) DanglingDeps(task Record) []string {
	return depsThat(&task, p.referents, referents.missing)
}

// A DepIndex computes BlockedBy and DanglingDeps for many tasks without a scan
// of the plan for each. It does not follow later changes of the plan.
type DepIndex struct {
	ids  map[string]referents
	held map[string][]string // by the ids of tasks, the items that hold them
}

// DepIndex returns the index of the plan as it is now.
func (p *Plan) DepIndex() *DepIndex {
	x := &DepIndex{make(map[string]referents, len(p.records)), p.held()}
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
	return append(depsThat(task, x.referents, referents.blocks), x.held[task.ID()]...)
}

// DanglingDeps returns the dependencies that are not in the plan; see Plan.DanglingDeps.
func (x *DepIndex) DanglingDeps(task *Record) []string {
	return depsThat(task, x.referents, referents.missing)
}

// Blocked reports whether anything blocks a task; see Plan.BlockedBy.
func (x *DepIndex) Blocked(task *Record) bool {
	if len(x.held) > 0 && len(x.held[task.ID()]) > 0 {
		return true
	}
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

// AwaitsApproval is the member of a task's "meta" that is true while its work is finished and a person is to approve it.
const AwaitsApproval = "awaits_approval"

// itemTaskPrefix is what the ids of the tasks begin with that the pipeline makes for items.
const itemTaskPrefix = "t-w-"

// held returns the items that keep tasks from being ready, by the ids of these tasks: items that a person is needed for, and, of a
// task whose work a person is to approve, the item that it is named after. It is nil in most plans.
func (p *Plan) held() map[string][]string {
	items, needed := p.itemRefs()
	if items == nil {
		return nil
	}
	anyNeeded := len(needed) > 0
	var held map[string][]string
	for i := range p.records {
		r := &p.records[i]
		if r.kind != KindTask || !r.Pending() || !anyNeeded && !strings.HasPrefix(r.keptText(keptID), itemTaskPrefix) {
			continue
		}
		if by := heldBy(r.Meta(), items, needed); len(by) > 0 {
			if held == nil {
				held = map[string][]string{}
			}
			held[r.ID()] = by
		}
	}
	return held
}

// itemRefs returns the ids of items by what "meta" calls them, as JSON: 42, "42", "GH-42" or the id. needed are those that a person
// is needed for.
func (p *Plan) itemRefs() (ids map[jsonl.Value]string, needed map[string]bool) {
	for i := range p.records {
		r := &p.records[i]
		if r.kind != KindItem {
			continue
		}
		if ids == nil {
			ids, needed = map[jsonl.Value]string{}, map[string]bool{}
		}
		ids[jsonl.Quote(r.ID())] = r.ID()
		number := jsonl.Value(strconv.Itoa(r.Number()))
		if ids[number] == "" && number != "0" { // of several items, the number is the first one's
			ids[number], ids[`"`+number+`"`], ids[jsonl.Quote(r.ItemLabel())] = r.ID(), r.ID(), r.ID()
		}
		if r.Text("state") == StateHumanNeeded {
			needed[r.ID()] = true
		}
	}
	return ids, needed
}

// isForOneItem reports whether a task of an item that belongs to a group is for that item alone.
func isForOneItem(meta jsonl.Object) bool {
	v, _ := meta.Get("phase")
	phase, _ := v.Str()
	return phase == "triage" || phase == "split" || phase == "research"
}

func heldBy(meta jsonl.Object, items map[jsonl.Value]string, needed map[string]bool) []string {
	own, _ := meta.Get("issue_number")
	members := []jsonl.Value{own}
	if group, found := meta.Get("group_members"); found && group.Kind() == jsonl.Array && !isForOneItem(meta) {
		members, _ = group.Elements()
	}
	var by []string
	for _, ref := range members {
		if id := items[ref]; needed[id] {
			by = append(by, id)
		}
	}
	if awaits, _ := meta.Get(AwaitsApproval); awaits == "true" && len(by) == 0 && items[own] != "" {
		by = append(by, items[own])
	}
	return by
}
