package plan

import "git-ralph/internal/jsonl"

// RewriteNew passes the records that are not in before, an older version of the plan, through rewrite, such as one that masks
// secrets. It returns c, the change that made them, with its records and events rewritten too.
func (p *Plan) RewriteNew(c Change, before *Plan, rewrite func(jsonl.Object) jsonl.Object) Change {
	known := make(map[string]bool, len(before.records))
	for i := range before.records {
		known[before.records[i].text] = true
	}
	rewritten := map[string]Record{}
	records := make([]Record, len(p.records))
	for i, r := range p.records {
		records[i] = r
		if r.isBlank() || known[r.text] {
			continue
		}
		if rewrittenObject := rewrite(r.Object()); rewrittenObject.Text() != r.Object().Text() {
			records[i] = newRecord(rewrittenObject)
			rewritten[r.text] = records[i]
		}
	}
	p.records = records
	return c.rewritten(rewritten, rewrite)
}

// rewritten returns a change with some records replaced, by their text, and with rewritten events.
func (c Change) rewritten(by map[string]Record, rewrite func(jsonl.Object) jsonl.Object) Change {
	all := Change{Removed: c.Removed}
	for _, r := range c.Records {
		if other, found := by[r.text]; found {
			r = other
		}
		all.Records = append(all.Records, r)
	}
	for _, e := range c.Events {
		e.Detail = rewrite(jsonl.Build(e.Detail)).Members()
		title := rewrite(jsonl.Build([]jsonl.Member{{Name: "name", Value: jsonl.Quote(e.Title)}}))
		e.Title, _ = title.Value(0).Str()
		all.Events = append(all.Events, e)
	}
	return all
}
