package fold

import (
	"cmp"
	"math/bits"
	"slices"

	"git-ralph/internal/history/record"
	"git-ralph/internal/plan"
)

// A view is what a tip has of a life: its record in the plan there, and the occurrences that the tip's history has.
type view struct {
	record  plan.Record
	here    bool
	reached func(occurrence) bool
}

// setStatuses sets the status of every life: as HEAD's plan shows it; where it is not in that, by the last ending in HEAD's
// history; where that never had it, by the first of the other tips whose history has; and where that leaves the ending open,
// or only infers it, by a tip that is surer. Where HEAD's plan cannot be read it is unknown.
func (f *builder) setStatuses(lives *registry) error {
	f.findUndone(lives)
	shown, err := f.recordsAt(f.place(f.Head), lives)
	if err != nil {
		return err
	}
	inHead := func(t occurrence) bool { return f.inHead[t.at] }
	var foreign []*Life
	var open []openEnding
	for _, life := range lives.all {
		life.attempts()
		record, here := shown[life]
		if !here && !slices.ContainsFunc(life.Events, func(e *Event) bool { return e.InHead }) {
			foreign = append(foreign, life)
			continue
		}
		if f.setStatus(life, view{record, here, inHead}, inHead); f.isSurerElsewhere(life) {
			open = append(open, openEnding{life, inHead})
		}
	}
	others, err := f.setForeign(foreign, lives)
	if err == nil {
		err = f.settleByTips(append(open, others...))
	}
	if err != nil {
		return err
	}
	switch defect, err := f.headDefect(); {
	case err != nil:
		return err
	case defect != "":
		for _, life := range lives.all {
			life.Status, life.Done, life.Outcome, life.LastRejected, life.SupersededBy = UnknownStatus, nil, nil, nil, ""
		}
	}
	f.result.Lives = lives.all
	if err := f.findLastRecords(lives); err != nil {
		return err
	}
	return f.findDecompositions()
}

// recordsAt returns the records in the plan at a commit, by lives.
func (f *builder) recordsAt(at int32, lives *registry) (map[*Life]plan.Record, error) {
	records := map[*Life]plan.Record{}
	v, err := f.planAt(at)
	if err != nil {
		return nil, err
	}
	for r := range f.Lines.Work(v) {
		if life := lives.ofRecord(r); life != nil && records[life].JSON() == "" {
			records[life] = r
		}
	}
	return records, nil
}

// setForeign sets the status of lives that HEAD's history never had, and returns those of which another tip may have more.
func (f *builder) setForeign(foreign []*Life, lives *registry) (open []openEnding, err error) {
	if len(foreign) == 0 {
		return nil, nil
	}
	if err := f.needWhole(); err != nil {
		return nil, err
	}
	tips := f.tips()
	holder, err := f.holders(foreign, tips, lives)
	if err != nil {
		return nil, err
	}
	chosen := make([]int32, 0, len(foreign))
	for _, life := range foreign {
		if tip, found := holder[life]; found {
			chosen = append(chosen, tips[tip])
		} else {
			chosen = append(chosen, none)
		}
	}
	isReached := map[occurrence]bool{}
	descend(f.Graph, chosen, func(first int, marks []uint64) {
		for i, life := range foreign[first:min(first+block, len(foreign))] {
			for _, e := range life.Events {
				for _, t := range e.copies {
					isReached[t] = marks[t.at]&(1<<i) != 0
				}
			}
		}
	})
	reached := func(t occurrence) bool { return isReached[t] }
	plans := map[int32]map[*Life]plan.Record{}
	for i, life := range foreign {
		if plans[chosen[i]] == nil {
			if plans[chosen[i]], err = f.recordsAt(chosen[i], lives); err != nil {
				return nil, err
			}
		}
		record, here := plans[chosen[i]][life]
		if f.setStatus(life, view{record, here, reached}, reached); f.isSurerElsewhere(life) {
			open = append(open, openEnding{life, reached})
		}
	}
	return open, nil
}

// tips returns the positions of the tips.
func (f *builder) tips() []int32 {
	tips := make([]int32, len(f.Tips))
	for i, tip := range f.Tips {
		tips[i] = f.place(tip.Commit)
	}
	return tips
}

// holders finds for each life the first tip whose plan has it or whose history has an event of it.
func (f *builder) holders(foreign []*Life, tips []int32, lives *registry) (map[*Life]int, error) {
	holder := map[*Life]int{}
	found := func(life *Life, tip int) {
		if before, known := holder[life]; !known || tip < before {
			holder[life] = tip
		}
	}
	wanted := make(map[*Life]bool, len(foreign))
	for _, life := range foreign {
		wanted[life] = true
	}
	all := f.namedInHead(wanted, lives)
	var numbers []int // of the tips that may have more than HEAD
	var places []int32
	for i, at := range tips {
		if at == none || f.inHead[at] && !all {
			continue
		}
		numbers, places = append(numbers, i), append(places, at)
		if slices.Index(places, at) < len(places)-1 {
			continue
		}
		records, err := f.recordsAt(at, lives)
		if err != nil {
			return nil, err
		}
		for life := range records {
			if wanted[life] {
				found(life, i)
			}
		}
	}
	descend(f.Graph, places, func(first int, marks []uint64) {
		for _, life := range foreign {
			for _, e := range life.Events {
				for _, t := range e.copies {
					if marks[t.at] != 0 {
						found(life, numbers[first+bits.TrailingZeros64(marks[t.at])])
					}
				}
			}
		}
	})
	return holder, nil
}

// namedInHead reports whether some plan in HEAD's history has one of some lives. None has one of which
// HEAD's history has no event, but for what plans at the boundary of a shallow clone hold, and for a second record with an id.
func (f *builder) namedInHead(some map[*Life]bool, lives *registry) bool {
	return slices.ContainsFunc(f.nonempty, func(at int32) bool {
		return f.inHead[at] && slices.ContainsFunc(f.Entries[at].Identities, func(n record.Identity) bool {
			return some[lives.of(&record.Event{Kind: n.Kind, ID: n.ID, CreatedAt: n.CreatedAt})]
		})
	})
}

// setStatus sets the status of a life as a tip has it; endings may be those of another tip.
func (f *builder) setStatus(l *Life, v view, endings func(occurrence) bool) {
	var events []*Event
	for _, e := range l.Events {
		if slices.ContainsFunc(e.copies, v.reached) {
			events = append(events, e)
		}
	}
	l.describe(v.record, v.here, events, f.parse)
	switch {
	case !v.here:
		l.setGone(f.ending(l, endings, v.reached), events)
	case l.Kind == plan.KindIssue, l.Kind == plan.KindItem:
		l.Status = Open
	default:
		l.setPresent(v.record, events)
	}
}

func (l *Life) setPresent(record plan.Record, events []*Event) {
	switch {
	case record.Done():
		l.Status, l.Done = Done, lastOf(events, plan.EventDone)
	case record.Pending():
		l.Status, l.LastRejected = Pending, lastOf(events, plan.EventRejected)
	default:
		l.Status = Other
	}
}

// setGone sets the status of a life that is not in the plan by its ending, nil where that is open.
func (l *Life) setGone(ending *Event, events []*Event) {
	l.Status, l.Outcome, l.SupersededBy = Lost, ending, ""
	if ending == nil {
		l.Done = l.attempted(events)
		return
	}
	switch ending.Name {
	case plan.EventAccepted:
		l.Status = Accepted
	case plan.EventRejected:
		l.Status, l.SupersededBy = Rejected, ending.Successor
	case plan.EventCancelled:
		l.Status = Cancelled
	case plan.EventIssueDone:
		l.Status = Closed
		return
	case plan.EventItemRemoved:
		l.Status = Removed
		return
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

// describe sets what a life is called and where it comes from.
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
		l.Name, l.Spec = cmp.Or(l.Name, e.Title), cmp.Or(l.Spec, e.Event.Spec)
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

func isCreation(e *Event) bool {
	return e.Name == plan.EventAdded || e.Name == plan.EventIssueAdded || e.Name == plan.EventItemAdded
}
