package plan

import "git-ralph/internal/jsonl"

// Clean rewrites the records that are not as they are in another version of the plan, and returns the change that it is part
// of with the records and events as they are then.
func (p *Plan) Clean(c Change, before *Plan, clean func(jsonl.Object) jsonl.Object) Change {
	known := make(map[string]bool, len(before.records))
	for i := range before.records {
		known[before.records[i].text] = true
	}
	rewritten := map[string]Record{}
	records := make([]Record, len(p.records))
	for i, r := range p.records {
		records[i] = r
		if isBlank(r) || known[r.text] {
			continue
		}
		if cleaned := clean(r.Object()); cleaned.Text() != r.Object().Text() {
			records[i] = newRecord(cleaned)
			rewritten[r.text] = records[i]
		}
	}
	p.records = records
	return c.rewritten(rewritten, clean)
}

// rewritten returns a change with other records in place of some, by their text, and with clean events.
func (c Change) rewritten(by map[string]Record, clean func(jsonl.Object) jsonl.Object) Change {
	all := Change{Removed: c.Removed}
	for _, r := range c.Records {
		if other, found := by[r.text]; found {
			r = other
		}
		all.Records = append(all.Records, r)
	}
	for _, e := range c.Events {
		e.Detail = clean(jsonl.Build(e.Detail)).Members()
		title := clean(jsonl.Build([]jsonl.Member{{Name: "name", Value: jsonl.Quote(e.Title)}}))
		e.Title, _ = title.Value(0).Str()
		all.Events = append(all.Events, e)
	}
	return all
}
