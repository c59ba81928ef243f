package plan

import (
	"slices"

	"git-ralph/internal/jsonl"
)

// doneAtLength is how many hex digits of a commit id "done_at" holds.
const doneAtLength = 12

// attemptLength is the number of characters that identify an attempt.
const attemptLength = 4

// DoneOptions are the options of Done.
type DoneOptions struct {
	Head  string         // the commit at HEAD, at least 12 hex digits; "" where there is none yet
	Force bool           // even if they wait for others
	Meta  []jsonl.Member // members to set in "meta"; a zero value removes one
	// MetaOf, where there is one, returns more members for one task.
	MetaOf func(task Record) []jsonl.Member
}

// Done marks pending tasks done, in the order given. They may depend on each other.
func (p *Plan) Done(ids []string, opts DoneOptions, stamp Stamp) (Change, error) {
	if opts.Head == "" {
		return Change{}, ErrNoHead
	}
	return p.change(func() (Change, error) {
		var all Change
		for _, id := range ids {
			one, err := p.doneOne(id, ids, opts, stamp)
			if err != nil {
				return Change{}, err
			}
			all.Join(one)
		}
		return all, nil
	})
}

func (p *Plan) doneOne(id string, together []string, opts DoneOptions, stamp Stamp) (Change, error) {
	i, err := p.taskIn("pending", id)
	if err != nil {
		return Change{}, err
	}
	task := p.records[i]
	waits := slices.DeleteFunc(p.BlockedBy(task), func(id string) bool { return slices.Contains(together, id) })
	if len(waits) > 0 && !opts.Force {
		return Change{}, &BlockedError{ID: id, WaitsFor: waits}
	}
	attempt := stamp.letters(attemptLength)
	if opts.MetaOf != nil {
		task = withMeta(task, opts.MetaOf(task))
	}
	task = withMeta(task, opts.Meta).withResolved(
		jsonl.TextMember("s", "d"), jsonl.TextMember("done_at", opts.Head[:min(doneAtLength, len(opts.Head))]),
		jsonl.TextMember("kill", ""), jsonl.TextMember("kill_log", ""), jsonl.TextMember("attempt", attempt),
	)
	p.records[i] = task
	e := event(EventDone, task, jsonl.TextMember("attempt", attempt))
	return Change{Events: []Event{e}, Records: []Record{task}}, nil
}

// taskIn returns the index of a task, and a *StateError if its state is not the
// wanted one, "pending" or "done".
func (p *Plan) taskIn(state, id string) (int, error) {
	i := p.index(KindTask, id)
	if i < 0 {
		return 0, &UnknownIDError{Kind: KindTask, ID: id}
	}
	if is := p.records[i].State(); is != state {
		return 0, &StateError{ID: id, Is: is, Want: state, Unknown: p.records[i].hasUnknownState()}
	}
	return i, nil
}

// hasUnknownState reports whether a task is neither pending nor done.
func (r Record) hasUnknownState() bool { return !r.Pending() && !r.Done() }

// withMeta sets members of the record's "meta".
func withMeta(r Record, changes []jsonl.Member) Record {
	if len(changes) == 0 {
		return r
	}
	meta, _ := r.Get("meta")
	return r.withResolved(jsonl.Member{Name: "meta", Value: setMembers(meta, changes)})
}
