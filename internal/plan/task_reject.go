package plan

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// Reject makes a done task pending again, and adds a tombstone with the attempt
// and the reason.
func (p *Plan) Reject(id, reason string) (Change, error) {
	return p.change(func() (Change, error) {
		c, i, err := p.addTombstone(id, reason)
		if err != nil {
			return Change{}, err
		}
		p.records[i] = p.records[i].withResolved(
			jsonl.TextMember("s", "p"), jsonl.TextMember("done_at", ""), jsonl.TextMember("attempt", ""), jsonl.TextMember("reject", reason),
		)
		c.Records = slices.Insert(c.Records, 0, p.records[i])
		return c, nil
	})
}

// RejectElsewhere rejects an attempt that is done on another branch, at a task that is pending here: a tombstone names it, so that a
// merge of that branch leaves the task pending.
func (p *Plan) RejectElsewhere(id, reason string, attempt Attempt) (Change, error) {
	return p.change(func() (Change, error) {
		i, err := p.taskIn("pending", id)
		if err != nil {
			return Change{}, err
		}
		done := p.records[i].with(jsonl.TextMember("done_at", attempt.DoneAt), jsonl.TextMember("attempt", attempt.ID))
		tombstone := tombstoneOf(done, reason)
		p.add(tombstone)
		p.records[i] = p.records[i].withResolved(jsonl.TextMember("reject", reason))
		e := event(EventRejected, done, jsonl.TextMember("attempt", attempt.ID), jsonl.TextMember("reason", reason))
		return Change{Events: []Event{e}, Records: []Record{p.records[i], tombstone}}, nil
	})
}

// RejectAndReplace rejects a done task and replaces it by a new one, which belongs to the same spec if it names none.
func (p *Plan) RejectAndReplace(id, reason string, replacement jsonl.Object, stamp Stamp) (Change, error) {
	return p.change(func() (Change, error) {
		c, i, err := p.addTombstone(id, reason)
		if err != nil {
			return Change{}, err
		}
		replacement = p.completeLinks(KindTask, []jsonl.Object{replacement})[0]
		set := []jsonl.Member{jsonl.TextMember("supersedes", id)}
		if record := newRecord(replacement); record.Spec() == "" {
			set = append(set, jsonl.TextMember("spec", p.records[i].Spec()))
		}
		added, _, err := p.addTasks([]jsonl.Object{build(KindTask, replacement, set...).Object()}, stamp)
		c.Join(added)
		return c, err
	})
}

// addTombstone adds the tombstone of a done task. It returns the task's index.
func (p *Plan) addTombstone(id, reason string) (Change, int, error) {
	if strings.TrimSpace(reason) == "" {
		return Change{}, 0, &FieldError{Field: "reason", Message: "is missing"}
	}
	i, err := p.taskIn("done", id)
	if err != nil {
		return Change{}, 0, err
	}
	tombstone := tombstoneOf(p.records[i], reason)
	p.add(tombstone)
	e := event(EventRejected, p.records[i], jsonl.TextMember("attempt", p.records[i].Text("attempt")), jsonl.TextMember("reason", reason))
	return Change{Events: []Event{e}, Records: []Record{tombstone}}, i, nil
}

// CountRejections returns how many tombstones have a reason, ignoring case and white space.
func (p *Plan) CountRejections(reason string) int {
	plain := func(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
	n := 0
	for _, r := range p.records {
		if r.kind == KindReject && plain(r.Text("reason")) == plain(reason) {
			n++
		}
	}
	return n
}

// tombstoneOf makes the record that keeps a rejection. Its "done_at" is empty
// for a task that was never done.
func tombstoneOf(task Record, reason string) Record {
	return build(KindReject, jsonl.Object{},
		jsonl.TextMember("t", string(KindReject)), jsonl.TextMember("id", task.ID()),
		jsonl.Member{Name: "done_at", Value: jsonl.Quote(task.Text("done_at"))},
		jsonl.Member{Name: "reason", Value: jsonl.Quote(reason)}, jsonl.TextMember("attempt", task.Text("attempt")),
	)
}

// supersede removes the task that an input supersedes: what depended on it
// depends on the new task, and a tombstone records why.
func (p *Plan) supersede(in input) (Change, error) {
	old, err := p.ResolveID(KindTask, in.text("supersedes"))
	if err != nil {
		return Change{}, in.wrong("supersedes", "names no task: "+err.Error())
	}
	if old == in.id {
		return Change{}, in.wrong("supersedes", "names the task itself")
	}
	task := p.removeAll(KindTask, []string{old})[0]
	c := Change{
		Events:  []Event{event(EventSuperseded, task, jsonl.TextMember("superseded_by", in.id))},
		Removed: []Record{task},
	}
	if !p.hasTombstone(task) {
		tombstone := tombstoneOf(task, "superseded by "+in.id)
		p.add(tombstone)
		c.Records = append(c.Records, tombstone)
	}
	i := p.index(KindTask, in.id)
	p.records[i] = p.records[i].with(jsonl.TextMember("supersedes", old))
	c.Records = append(c.Records, p.records[i])
	c.Join(p.redirect([]string{old}, []string{in.id}))
	return c, nil
}

// hasTombstone reports whether a tombstone names the task: its current attempt if it is done, any attempt if it is not.
func (p *Plan) hasTombstone(task Record) bool {
	return slices.ContainsFunc(p.records, func(r Record) bool {
		return r.kind == KindReject && r.ID() == task.ID() && (!task.Done() || Rejected(task.Attempt(), r))
	})
}

// redirect makes every task that depends on one of from depend on all of to. A
// task of to loses the dependency: it takes the place of what it waited for.
func (p *Plan) redirect(from, to []string) Change {
	var c Change
	gone, heirs := SetOf(from), SetOf(to)
	for i := range p.records {
		r := p.records[i]
		if r.kind != KindTask || !r.dependsOnAny(gone) {
			continue
		}
		instead := to
		if heirs[r.ID()] {
			instead = nil
		}
		p.records[i] = r.withResolved(jsonl.ListMember("deps", replaceDeps(r.Deps(), gone, instead)))
		c.Events = append(c.Events, event(EventEdited, r))
		c.Records = append(c.Records, p.records[i])
	}
	return c
}

// replaceDeps puts the ids of to in the place of the first one of from.
func replaceDeps(deps []string, from map[string]bool, to []string) []string {
	var replaced []string
	for _, dep := range deps {
		next := []string{dep}
		if from[dep] {
			next = to
		}
		for _, id := range next {
			if !slices.Contains(replaced, id) {
				replaced = append(replaced, id)
			}
		}
	}
	return replaced
}
