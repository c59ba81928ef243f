package plan

import "slices"

// Start begins work on a spec: tasks of other specs are cancelled, whether pending or done, tombstones go, having served,
// and the spec becomes the current one. Issues stay. Tasks that stay lose dependencies on those that go. The change is
// empty where there is nothing of all that to do.
func (p *Plan) Start(spec string) (Change, error) {
	return p.change(func() (Change, error) {
		var all Change
		ids := p.Unfinished(spec)
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

// Unfinished lists the tasks of other specs than one, in the order of the file: pending and done ones, which wait for
// somebody. Those in a state that we do not know are left out.
func (p *Plan) Unfinished(spec string) []string {
	var ids []string
	for _, r := range p.Of(KindTask) {
		if r.Spec() != spec && !r.strange() {
			ids = append(ids, r.ID())
		}
	}
	return ids
}

// clearTombstones takes all tombstones out of the plan.
func (p *Plan) clearTombstones() []Record {
	gone := p.Of(KindReject)
	p.records = slices.DeleteFunc(p.records, func(r Record) bool { return r.kind == KindReject })
	return gone
}
