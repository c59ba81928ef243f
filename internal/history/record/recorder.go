package record

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A recorder makes the entries of commits, one after the other.
type recorder struct {
	Source
	reader plan.LineReader

	// Room that is used for one commit after the other.
	events     []Event
	changed    transitions
	identities numbering
	added, old []uint32
}

// Entries returns what the first n commits of the graph record, by position; nil for those that record nothing. Those of the
// oldest commits are made first, as plans grew out of each other; of all commits, the older half beside the newer one.
func (s Source) Entries(n int) ([]*Entry, error) {
	entries := make([]*Entry, n)
	r := recorder{Source: s}
	if n < len(s.Graph.Commits) { // versions of the others may have to be read on the way
		return entries, r.record(entries, 0, n)
	}
	older := recorder{Source: s}
	older.Lines = s.Lines.view()
	var failed error
	var both sync.WaitGroup
	both.Go(func() { failed = older.record(entries, n/2, n) })
	err := r.record(entries, 0, n/2)
	both.Wait()
	return entries, errors.Join(err, failed)
}

// record makes the entries from one position to another.
func (r *recorder) record(entries []*Entry, from, to int) (err error) {
	for at := to - 1; at >= from && err == nil; at-- {
		entries[at], err = r.entry(int32(at))
	}
	return err
}

// entry returns what a commit records: its plan is compared with those of its parents, and what that shows is reconciled
// with the trailers of its message.
func (r *recorder) entry(at int32) (*Entry, error) {
	if _, err := r.Graph.Commits[at].PlanID(); err != nil || !r.differs(at) {
		return nil, nil
	}
	after, err := r.Plan(at)
	switch {
	case errors.Is(err, git.ErrMissing):
		return &Entry{Err: git.ErrMissing}, nil
	case err != nil:
		return nil, err
	}
	e := &Entry{}
	if e.Identities, err = r.newIdentities(at, after); err != nil {
		return nil, err
	}
	if !after.Valid() {
		e.Err = ErrInvalidPlan
		return e, nil
	}
	base, err := r.base(at)
	if err != nil {
		return nil, err
	}
	var message trailers
	m, err := r.Message(r.Graph.Commits[at].ID)
	if err == nil {
		e.Message, message = r.message(at, m), parseTrailers(m.Text)
	}
	shown := r.compare(parentPlan{after, r.Graph.Commits[at].Path}, base, message)
	e.Events = reconciliation{lines: r.Lines, before: base.first(), after: after, hidden: base.hidden}.reconcile(shown, message)
	sortEvents(e.Events)
	markEvidence(e.Events, m.Text)
	r.events = e.Events[:0] // room for the next
	e.Events = slices.Clone(e.Events)
	if len(e.Events)+len(e.Identities) == 0 && e.Message == nil {
		return nil, nil
	}
	return e, nil
}

// markEvidence marks the acceptances of tasks of which a message has receipts.
func markEvidence(events []Event, message string) {
	if !strings.Contains(message, plan.EvidenceTrailer) {
		return
	}
	for i := range events {
		if e := &events[i]; e.Name == plan.EventAccepted {
			e.Evidence = strings.Contains(message, plan.EvidenceTrailer+e.ID+" ")
		}
	}
}

// compare returns the events that follow from a commit's plan against every one of the plans that it is compared with.
func (r *recorder) compare(after parentPlan, base base, message trailers) []Event {
	switch {
	case base.hidden:
		return r.tombstonesOf(after.plan)
	case len(base.parents) == 0:
		return r.between(r.events[:0], parentPlan{path: after.path}, after, message)
	}
	events := r.between(r.events[:0], base.parents[0], after, message)
	var others [][]Event
	for _, parent := range base.parents[1:] {
		others = append(others, r.between(nil, parent, after, message))
	}
	if others == nil {
		return events
	}
	kept := events[:0]
	for _, e := range events {
		if r.follows(&e, others) {
			kept = append(kept, e)
		}
	}
	return kept
}

// between appends what happened from one plan to another.
func (r *recorder) between(events []Event, before, after parentPlan, message trailers) []Event {
	c := comparison{lines: r.Lines, before: before.plan, after: after.plan, trailers: message, room: &r.changed, events: events}
	if before.plan != nil && after.plan != nil && before.path != after.path {
		c.moved = !r.Lines.Follows(before.plan, after.plan)
	}
	return c.compare()
}

// follows reports whether an event follows against other parents too, and reduces it to what does.
func (r *recorder) follows(e *Event, others [][]Event) bool {
	edited := e.Name == plan.EventEdited && e.Before != ""
	var fields []plan.FieldChange
	if edited {
		fields = plan.Edits(r.parse(e.Before), r.parse(e.After))
	}
	for _, events := range others {
		i := slices.IndexFunc(events, e.same)
		if i < 0 {
			return false
		}
		o := &events[i]
		e.Left, e.Repeat, e.Inferred, e.Rejects = e.Left && o.Left, e.Repeat && o.Repeat, e.Inferred || o.Inferred, e.Rejects && o.Rejects
		if edited {
			fields = inBoth(fields, plan.Edits(r.parse(o.Before), r.parse(o.After)))
		}
	}
	if edited {
		e.Change = digest(fields)
	}
	return !edited || len(fields) > 0
}

// tombstonesOf returns the tombstones of a plan of which the one before is not known.
func (r *recorder) tombstonesOf(v *Version) []Event {
	c := comparison{lines: r.Lines, after: v, events: r.events[:0]}
	var seen []string
	for _, n := range r.Lines.linesOf(v) {
		l := &r.Lines.lines[n]
		if l.key != 0 && l.Kind() == plan.KindReject && !slices.Contains(seen, l.ID()) {
			seen = append(seen, l.ID())
			c.rejections(l.ID())
		}
	}
	for i := range c.events {
		c.events[i].Repeat = true
	}
	return c.events
}

// newIdentities returns the identities in a commit's plan that the plans of its parents do not have. All of them together
// are those of all plans.
func (r *recorder) newIdentities(at int32, after *Version) ([]Identity, error) {
	if after == nil {
		return nil, nil
	}
	lines, old := r.Lines.linesOf(after), r.old[:0]
	for _, p := range r.Parents(at) {
		if p < 0 {
			continue
		}
		v, err := r.Plan(p)
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return nil, err
		}
		if v == nil {
			continue
		}
		before := r.Lines.linesOf(v)
		head, tail := common(before, lines)
		before = before[head : len(before)-tail]
		r.added = without(r.added[:0], lines[head:len(lines)-tail], before)
		lines, old = r.added, append(old, before...)
	}
	r.old = old
	seen := r.identities.reset()
	for _, n := range old {
		seen.place(r.Lines.lines[n].identity)
	}
	var all []Identity
	for _, n := range lines {
		if l := &r.Lines.lines[n]; l.isWork() && seen.find(l.identity) < 0 {
			seen.place(l.identity)
			all = append(all, r.Lines.identities[l.identity])
		}
	}
	return all, nil
}

// parse returns the record of a line that was read before.
func (r *recorder) parse(text string) plan.Record {
	record, _ := r.reader.Record(jsonl.Line{Text: text, Number: 1})
	return record
}

// Between returns what happened from one content of a plan to another, in the order in which it happened; nil stands for no
// plan.
func Between(before, after []byte) []Event {
	r := recorder{Source: Source{Lines: NewLineTable()}}
	reader := r.Lines.Reader()
	plans := [2]parentPlan{}
	for i, data := range [...][]byte{before, after} {
		if data != nil {
			plans[i].plan = reader.Read(data)
		}
	}
	events := r.between(nil, plans[0], plans[1], nil)
	sortEvents(events)
	return events
}
