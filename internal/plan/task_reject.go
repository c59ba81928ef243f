package plan

import (
	"slices"

	"git-ralph/internal/jsonl"
)

// Reject refuses a done task: a tombstone keeps the attempt and the reason,
// and the task is pending again.
func (p *Plan) Reject(id, reason string) (Change, error) {
	if reason == "" {
		return Change{}, &FieldError{Field: "reason", Message: "is missing"}
	}
	i, err := p.taskIn("done", id)
	if err != nil {
		return Change{}, err
	}
	defer p.keepOrder()()
	task := p.records[i]
	tombstone := tombstoneOf(task, reason)
	p.records[i] = task.with(
		member("s", "p"), member("done_at", ""), member("attempt", ""), member("reject", reason),
	)
	e := event(EventRejected, task, member("attempt", task.Text("attempt")), member("reason", reason))
	change := Change{Events: []Event{e}, Records: []Record{p.records[i], tombstone}}
	p.add(tombstone)
	return change, nil
}

// RejectFor refuses a done task and puts a new one in its place.
func (p *Plan) RejectFor(id, reason string, replacement jsonl.Object, stamp Stamp) (Change, error) {
	rejected, err := p.Reject(id, reason)
	if err != nil {
		return Change{}, err
	}
	replacement = Record{kind: KindTask, object: replacement}.with(member("supersedes", id)).object
	added, err := p.AddTasks([]jsonl.Object{replacement}, stamp)
	if err != nil {
		return Change{}, err
	}
	rejected.Records = slices.DeleteFunc(rejected.Records, func(r Record) bool { return r.kind == KindTask })
	return Join(rejected, added), nil
}

// tombstoneOf makes the record that keeps a rejection.
func tombstoneOf(task Record, reason string) Record {
	return Record{kind: KindReject}.with(
		member("t", string(KindReject)), member("id", task.id), member("done_at", task.Text("done_at")),
		member("reason", reason), member("attempt", task.Text("attempt")),
	)
}

// supersede takes the old task out for a new one: what depended on the old
// depends on the new, and a tombstone tells that it was given up.
func (p *Plan) supersede(given, by, reason string) (Change, error) {
	old, err := p.Resolve(KindTask, given)
	if err != nil {
		return Change{}, &FieldError{Field: "supersedes", Message: err.Error()}
	}
	if old == by {
		return Change{}, &FieldError{Field: "supersedes", Message: "names the task itself"}
	}
	removed := p.remove(func(r Record) bool { return r.kind == KindTask && r.id == old })
	change := Change{Events: []Event{event(EventSuperseded, removed[0], member("superseded_by", by))}, Removed: removed}
	if !slices.ContainsFunc(p.records, func(r Record) bool { return r.kind == KindReject && r.id == old }) {
		if reason == "" {
			reason = "superseded by " + by
		}
		tombstone := tombstoneOf(removed[0], reason)
		p.add(tombstone)
		change.Records = append(change.Records, tombstone)
	}
	i := p.index(KindTask, by)
	p.records[i] = p.records[i].with(member("supersedes", old))
	return Join(change, p.redirect([]string{old}, []string{by})), nil
}

// redirect makes every task that depends on one of from depend on all of to.
func (p *Plan) redirect(from, to []string) Change {
	var change Change
	for i, r := range p.records {
		if r.kind != KindTask || slices.Contains(to, r.id) {
			continue
		}
		deps := replaceDeps(r.Deps(), from, to)
		if slices.Equal(deps, r.Deps()) {
			continue
		}
		p.records[i] = r.with(list("deps", deps))
		change.Events = append(change.Events, event(EventEdited, r))
		change.Records = append(change.Records, p.records[i])
	}
	return change
}

// replaceDeps puts the ids of to where the first of from stood.
func replaceDeps(deps, from, to []string) []string {
	var replaced []string
	for _, dep := range deps {
		next := []string{dep}
		if slices.Contains(from, dep) {
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
