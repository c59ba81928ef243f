package plan

import (
	"slices"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// SetSpec makes a spec the current one. Nothing is removed. The change is empty
// where it is the current one already.
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
			p.add(newRecord(jsonl.Build([]jsonl.Member{member("t", string(KindSpec))})))
		}
		p.records[i] = p.records[i].decide(member("spec", spec))
		return Change{Events: []Event{{Name: EventSpec, ID: spec}}, Records: []Record{p.records[i]}}, nil
	})
}

// Format makes the plan canonical: in order, without a byte-order mark, empty
// lines and carriage returns. Tasks and issues that do not say when they were
// made are first given times in the order of the file, before all those that
// do, so that the order of work stays. Lines that need no time keep their
// bytes. The change is empty where there is nothing to do.
func (p *Plan) Format(stamp Stamp) Change {
	if p.formatted() {
		return Change{}
	}
	p.mark = false
	p.records = slices.DeleteFunc(slices.Clone(p.records), isBlank)
	stamped := p.stampAges(stamp.Now)
	for i := range p.records {
		r := &p.records[i]
		r.text, r.ending = strings.TrimRight(r.text, "\r"), lineFeed
	}
	p.records = arranged(p.records)
	return Change{Events: []Event{{Name: EventUpdated, Title: "format the plan"}}, Records: stamped}
}

// formatted reports whether Format has nothing to do.
func (p *Plan) formatted() bool { return p.formatReasons() == nil }

// formatReasons says, in words that follow "the plan", what Format would put
// right.
func (p *Plan) formatReasons() []string {
	var reasons []string
	add := func(holds bool, reason string) {
		if holds {
			reasons = append(reasons, reason)
		}
	}
	add(!p.IsCanonical(), "is not in the canonical order")
	add(slices.ContainsFunc(p.records, lacksAge), "holds records without a time of creation")
	add(slices.ContainsFunc(p.records, func(r Record) bool { return r.ending != lineFeed }), "has lines that do not end with a line feed alone")
	add(p.mark, "begins with a byte-order mark")
	return reasons
}

// lacksAge reports whether a task or issue does not say when it was made.
func lacksAge(r Record) bool {
	return (r.kind == KindTask || r.kind == KindIssue) && r.CreatedAt() == ""
}

// stampAges writes created_at on tasks and issues that lack it, a millisecond
// apart, all before the oldest that has it.
func (p *Plan) stampAges(now time.Time) []Record {
	var missing []int
	for i, r := range p.records {
		if lacksAge(r) {
			missing = append(missing, i)
		} else if t, isTime := createdTime(r.CreatedAt()); isTime && t.Before(now) {
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
