package plan

import (
	"slices"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// Format makes the plan canonical: in order, without a byte-order mark, empty
// lines and carriage returns. Tasks and issues without a time of creation first
// get one, in the order of the file and before all existing times, so that the
// order of work stays the same. Other lines keep their bytes. The change is
// empty if there is nothing to do.
func (p *Plan) Format(stamp Stamp) Change {
	if p.formatted() {
		return Change{}
	}
	p.mark = false
	p.records = slices.DeleteFunc(slices.Clone(p.records), Record.isBlank)
	stamped := p.stampCreatedAt(stamp.Now)
	for i := range p.records {
		r := &p.records[i]
		r.text, r.ending = strings.TrimRight(r.text, "\r"), lineFeed
	}
	p.records = arranged(p.records)
	return Change{Events: []Event{{Name: EventUpdated, Title: "format the plan"}}, Records: stamped}
}

// formatted reports whether Format has nothing to do.
func (p *Plan) formatted() bool { return p.formatReasons() == nil }

// formatReasons returns what Format would correct, in words that continue "the plan".
func (p *Plan) formatReasons() []string {
	var reasons []string
	add := func(holds bool, reason string) {
		if holds {
			reasons = append(reasons, reason)
		}
	}
	add(!p.IsCanonical(), "is not in the canonical order")
	add(slices.ContainsFunc(p.records, lacksCreatedAt), "holds records without a time of creation")
	add(slices.ContainsFunc(p.records, func(r Record) bool { return r.ending != lineFeed }), "has lines that do not end with a line feed alone")
	add(p.mark, "begins with a byte-order mark")
	return reasons
}

// lacksCreatedAt reports whether a task, issue or item has no time of creation.
func lacksCreatedAt(r Record) bool {
	return r.kind.HasUniqueID() && r.CreatedAt() == ""
}

// stampCreatedAt writes created_at on tasks, issues and items that lack it, a millisecond
// apart, all before the oldest that has it.
func (p *Plan) stampCreatedAt(now time.Time) []Record {
	var missing []int
	for i, r := range p.records {
		if lacksCreatedAt(r) {
			missing = append(missing, i)
		} else if t, isTime := createdTime(r.CreatedAt()); isTime && t.Before(now) {
			now = t
		}
	}
	changed := make([]Record, len(missing))
	for n, i := range missing {
		at := now.Add(-time.Duration(len(missing)-n) * time.Millisecond)
		p.records[i] = p.records[i].with(jsonl.TextMember("created_at", FormatTime(at)))
		changed[n] = p.records[i]
	}
	return changed
}
