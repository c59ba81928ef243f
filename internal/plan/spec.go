package plan

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// SetSpec makes a spec the current one, and removes nothing. The change is empty
// if it already is the current one.
func (p *Plan) SetSpec(spec string) (Change, error) {
	if strings.TrimSpace(spec) == "" {
		return Change{}, &FieldError{Field: "spec", Message: "is missing"}
	}
	if p.Spec() == spec {
		return Change{}, nil
	}
	return p.change(func() (Change, error) {
		i := slices.IndexFunc(p.records, func(r Record) bool { return r.kind == KindSpec })
		if i < 0 {
			i = len(p.records)
			p.add(newRecord(jsonl.Build([]jsonl.Member{jsonl.TextMember("t", string(KindSpec))})))
		}
		p.records[i] = p.records[i].withResolved(jsonl.TextMember("spec", spec))
		return Change{Events: []Event{{Name: EventSpec, ID: spec}}, Records: []Record{p.records[i]}}, nil
	})
}

// StartSpec begins work on a spec: it cancels the tasks of other specs, pending or done, removes all tombstones, and makes
// the spec the current one. Issues stay. Remaining tasks lose their dependencies on cancelled ones. The change is empty if
// there is nothing to do.
func (p *Plan) StartSpec(spec string) (Change, error) {
	return p.change(func() (Change, error) {
		var all Change
		ids := p.TasksOfOtherSpecs(spec)
		all.Removed = p.removeAll(KindTask, ids)
		for _, r := range all.Removed {
			all.Events = append(all.Events, event(EventCancelled, r))
		}
		all.Join(p.redirect(ids, nil))
		all.Removed = append(all.Removed, p.clearTombstones()...)
		set, err := p.SetSpec(spec)
		all.Join(set)
		if len(all.Removed) > 0 && len(all.Events) == 0 {
			all.Events = []Event{{Name: EventUpdated, Title: "clear tombstones"}}
		}
		return all, err
	})
}

// IsEmptied reports whether a plan has lost its spec record and all tasks. No command does that: a plan without tasks keeps its
// spec.
func (p *Plan) IsEmptied(before *Plan) bool {
	return before.Spec() != "" && len(before.Of(KindTask)) > 0 && p.Spec() == "" && len(p.Of(KindTask)) == 0
}

// TasksOfOtherSpecs returns the ids of the pending and done tasks of any other spec, in the order of the file. Tasks in an
// unknown state are left out.
func (p *Plan) TasksOfOtherSpecs(spec string) []string {
	var ids []string
	for _, r := range p.Of(KindTask) {
		if r.Spec() != spec && !r.hasUnknownState() {
			ids = append(ids, r.ID())
		}
	}
	return ids
}

// clearTombstones removes all tombstones from the plan.
func (p *Plan) clearTombstones() []Record {
	gone := p.Of(KindReject)
	p.records = slices.DeleteFunc(p.records, func(r Record) bool { return r.kind == KindReject })
	return gone
}
