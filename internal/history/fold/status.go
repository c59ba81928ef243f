package fold

import (
	"cmp"
	"math/bits"
	"slices"

	"git-ralph/internal/plan"
)

// settle says of every life how it stands: as HEAD's plan shows it; where that
// has it not, as the last event of HEAD's history says; where HEAD never knew
// it, by the first of the other tips that does.
func (f *folder) settle(lives *registry) {
	shown := f.recordsAt(f.place(f.Head), lives)
	var foreign []*Life
	for _, life := range lives.all {
		life.attempts()
		record, here := shown[life]
		if !here && !slices.ContainsFunc(life.Events, func(e *Event) bool { return e.InHead }) {
			foreign = append(foreign, life)
			continue
		}
		life.stand(record, here, func(e *Event) bool { return e.InHead }, f.recordOf)
	}
	f.settleForeign(foreign, lives)
	f.result.Lives = lives.all
	f.forgotten(lives)
	f.relate()
}

// recordsAt returns what stands in the plan at a commit, by lives.
func (f *folder) recordsAt(at int32, lives *registry) map[*Life]plan.Record {
	records := map[*Life]plan.Record{}
	v := f.shown(at)
	if v == nil {
		return records
	}
	for _, n := range f.Book.linesOf(v) {
		l := &f.Book.lines[n]
		if !l.lives() {
			continue
		}
		if life := lives.ofRecord(l.Record); life != nil && records[life].JSON() == "" {
			records[life] = l.Record
		}
	}
	return records
}

// settleForeign settles lives that HEAD never knew.
func (f *folder) settleForeign(foreign []*Life, lives *registry) {
	if len(foreign) == 0 {
		return
	}
	if f.short(); f.result.Short {
		return
	}
	tips := make([]int32, len(f.Tips))
	for i, tip := range f.Tips {
		tips[i] = f.place(tip.Commit)
	}
	holder := f.holders(foreign, tips, lives)
	chosen := make([]int32, 0, len(foreign))
	for _, life := range foreign {
		if tip, found := holder[life]; found {
			chosen = append(chosen, tips[tip])
		} else {
			chosen = append(chosen, none)
		}
	}
	reach := map[*Event]bool{}
	descend(f.Graph, chosen, func(first int, marks []uint64) {
		for i, life := range foreign[first:min(first+block, len(foreign))] {
			for _, e := range life.Events {
				reach[e] = slices.ContainsFunc(e.copies, func(at int32) bool { return marks[at]&(1<<i) != 0 })
			}
		}
	})
	plans := map[int32]map[*Life]plan.Record{}
	for i, life := range foreign {
		if plans[chosen[i]] == nil {
			plans[chosen[i]] = f.recordsAt(chosen[i], lives)
		}
		record, here := plans[chosen[i]][life]
		life.stand(record, here, func(e *Event) bool { return reach[e] }, f.recordOf)
	}
}

// holders finds for each life the first tip whose plan has it or whose history
// tells of it.
func (f *folder) holders(foreign []*Life, tips []int32, lives *registry) map[*Life]int {
	holder := map[*Life]int{}
	found := func(life *Life, tip int) {
		if before, known := holder[life]; !known || tip < before {
			holder[life] = tip
		}
	}
	wanted := map[*Life]bool{}
	for _, life := range foreign {
		wanted[life] = true
	}
	seen := map[int32]bool{}
	for i, at := range tips {
		if seen[at] {
			continue
		}
		seen[at] = true
		for life := range f.recordsAt(at, lives) {
			if wanted[life] {
				found(life, i)
			}
		}
	}
	descend(f.Graph, tips, func(first int, marks []uint64) {
		for _, life := range foreign {
			for _, e := range life.Events {
				for _, at := range e.copies {
					if marks[at] != 0 {
						found(life, first+bits.TrailingZeros64(marks[at]))
					}
				}
			}
		}
	})
	return holder
}

// stand settles a life by its record at a tip, if it is there, and by the events
// that the tip knows.
func (l *Life) stand(record plan.Record, here bool, known func(*Event) bool, read func(string) plan.Record) {
	var events []*Event
	for _, e := range l.Events {
		if known(e) {
			events = append(events, e)
		}
	}
	l.describe(record, here, events, read)
	last := lastOf(events, plan.EventAdded, plan.EventIssueAdded, plan.EventReopened, plan.EventDone, plan.EventRejected,
		plan.EventAccepted, plan.EventCancelled, plan.EventIssueDone)
	switch {
	case l.Kind == plan.KindIssue:
		l.standIssue(here, last)
	case here:
		l.standHere(record, events)
	default:
		l.standGone(last, events)
	}
}

func (l *Life) standIssue(here bool, last *Event) {
	switch {
	case here:
		l.Status = Open
	case last != nil && last.Name == plan.EventIssueDone:
		l.Status, l.Outcome = Closed, last
	default:
		l.Status = Lost
	}
}

func (l *Life) standHere(record plan.Record, events []*Event) {
	switch {
	case record.Done():
		l.Status, l.Done = Done, lastOf(events, plan.EventDone)
	case record.Pending():
		l.Status, l.LastRejected = Pending, lastOf(events, plan.EventRejected)
	default:
		l.Status = Other
	}
}

func (l *Life) standGone(last *Event, events []*Event) {
	l.Status = Lost
	if last == nil {
		return
	}
	switch last.Name {
	case plan.EventAccepted:
		l.Status, l.Outcome = Accepted, last
	case plan.EventRejected:
		l.Status, l.Outcome, l.SupersededBy = Rejected, last, last.Successor
	case plan.EventCancelled:
		l.Status, l.Outcome = Cancelled, last
	}
	l.Done = l.attempted(events)
}

// attempted returns the last attempt at a task that is gone, nil where the task
// was pending when it left.
func (l *Life) attempted(events []*Event) *Event {
	e := lastOf(events, plan.EventDone, plan.EventReopened, plan.EventRejected)
	switch {
	case l.Status == Accepted || l.Status == Rejected:
		return lastOf(events, plan.EventDone)
	case e != nil && e.Name == plan.EventDone:
		return e
	}
	return nil
}

func lastOf(events []*Event, names ...plan.EventName) *Event {
	for _, e := range slices.Backward(events) {
		if slices.Contains(names, e.Name) {
			return e
		}
	}
	return nil
}

// describe says what a life is called and where it comes from.
func (l *Life) describe(record plan.Record, here bool, events []*Event, read func(string) plan.Record) {
	if !here {
		for _, e := range slices.Backward(events) {
			if text := cmp.Or(e.After, e.Before); text != "" {
				record = read(text)
				break
			}
		}
	}
	l.Record = record
	l.Name, l.Spec = record.Name(), record.Spec()
	for _, e := range slices.Backward(events) {
		l.Name, l.Spec = cmp.Or(l.Name, e.Title), cmp.Or(l.Spec, e.Told.Spec)
	}
	var first *Event
	if i := slices.IndexFunc(events, isCreation); i >= 0 {
		first = events[i]
	}
	l.Created = first
	if first == nil && len(events) > 0 {
		first = events[0]
	}
	if first != nil {
		l.Branch, l.Author = first.Branch, first.Author
	}
}

func isCreation(e *Event) bool { return e.Name == plan.EventAdded || e.Name == plan.EventIssueAdded }
