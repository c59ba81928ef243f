package plan

import (
	"slices"
	"time"
)

// SetSpec makes a spec the current one. Nothing is removed. The change is empty
// where it is the current one already.
func (p *Plan) SetSpec(spec string) (Change, error) {
	if spec == "" {
		return Change{}, &FieldError{Field: "spec", Message: "is missing"}
	}
	if p.Spec() == spec {
		return Change{}, nil
	}
	defer p.keepOrder()()
	i := slices.IndexFunc(p.records, func(r Record) bool { return r.kind == KindSpec })
	if i < 0 {
		p.add(Record{kind: KindSpec}.with(member("t", string(KindSpec))))
		i = len(p.records) - 1
	}
	p.records[i] = settle(p.records[i].with(member("spec", spec)), "spec")
	return Change{Events: []Event{{Name: EventSpec, ID: spec}}, Records: []Record{p.records[i]}}, nil
}

// Format makes the plan canonical: in order, without a byte-order mark, empty
// lines and carriage returns. Tasks and issues that do not say when they were
// made are first given times in the order of the file, before all those that
// do, so that the order of work stays. Lines that need no time keep their
// bytes. The change is empty where there is nothing to do.
func (p *Plan) Format(stamp Stamp) Change {
	before := string(p.Encode())
	p.mark = false
	p.remove(Record.blank)
	change := Change{Records: p.stampAges(stamp.Now)}
	for i := range p.records {
		p.records[i].ending = "\n"
	}
	slices.SortStableFunc(p.records, canonical)
	if string(p.Encode()) == before {
		return Change{}
	}
	change.Events = []Event{{Name: EventUpdated, Title: "format the plan"}}
	return change
}

// stampAges writes created_at on tasks and issues that lack it, a millisecond
// apart, all before the oldest that has it.
func (p *Plan) stampAges(now time.Time) []Record {
	var missing []int
	for i, r := range p.records {
		if r.kind != KindTask && r.kind != KindIssue {
			continue
		}
		if r.CreatedAt() == "" {
			missing = append(missing, i)
		} else if t, err := time.Parse(time.RFC3339, r.CreatedAt()); err == nil && t.Before(now) {
			now = t
		}
	}
	changed := make([]Record, len(missing))
	for n, i := range missing {
		at := now.Add(-time.Duration(len(missing)-n) * time.Millisecond)
		p.records[i] = p.records[i].with(member("created_at", FormatTime(at)))
		changed[n] = p.records[i]
	}
	return changed
}
