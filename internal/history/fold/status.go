package fold

import (
	"cmp"
	"math/bits"
	"slices"

	"git-ralph/internal/plan"
)

// A view is what is known of a life at a tip: its record in the plan there, and what the history of the tip tells of it.
type view struct {
	record plan.Record
	here   bool
	knows  func(telling) bool
}

// settle says of every life how it stands: as HEAD's plan shows it; where that
// has it not, by the last ending in HEAD's history; where HEAD never knew it, by
// the first of the other tips that does; and where that leaves the ending open,
// or only infers it, by a tip that knows better. Where HEAD's plan cannot be read
// nobody can tell.
func (f *folder) settle(lives *registry) {
	f.findUndone(lives)
	at := f.place(f.Head)
	shown := f.recordsAt(at, lives)
	inHead := func(t telling) bool { return f.inHead[t.at] }
	var foreign []*Life
	var weak []weakLife
	for _, life := range lives.all {
		life.attempts()
		record, here := shown[life]
		if !here && !slices.ContainsFunc(life.Events, func(e *Event) bool { return e.InHead }) {
			foreign = append(foreign, life)
			continue
		}
		if f.stand(life, view{record, here, inHead}, inHead); f.couldBeStronger(life) {
			weak = append(weak, weakLife{life, inHead})
		}
	}
	weak = append(weak, f.settleForeign(foreign, lives)...)
	f.askTips(weak)
	if at != none && !f.known(at) {
		for _, life := range lives.all {
			life.Status, life.Done, life.Outcome, life.LastRejected, life.SupersededBy = UnknownStatus, nil, nil, nil, ""
		}
	}
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

// settleForeign settles lives that HEAD never knew, and returns those of which another tip may know more.
func (f *folder) settleForeign(foreign []*Life, lives *registry) (weak []weakLife) {
	if len(foreign) == 0 {
		return nil
	}
	if f.short(); f.result.Short {
		return nil
	}
	tips := f.tips()
	holder := f.holders(foreign, tips, lives)
	chosen := make([]int32, 0, len(foreign))
	for _, life := range foreign {
		if tip, found := holder[life]; found {
			chosen = append(chosen, tips[tip])
		} else {
			chosen = append(chosen, none)
		}
	}
	reached := map[telling]bool{}
	descend(f.Graph, chosen, func(first int, marks []uint64) {
		for i, life := range foreign[first:min(first+block, len(foreign))] {
			for _, e := range life.Events {
				for _, t := range e.copies {
					reached[t] = marks[t.at]&(1<<i) != 0
				}
			}
		}
	})
	knows := func(t telling) bool { return reached[t] }
	plans := map[int32]map[*Life]plan.Record{}
	for i, life := range foreign {
		if plans[chosen[i]] == nil {
			plans[chosen[i]] = f.recordsAt(chosen[i], lives)
		}
		record, here := plans[chosen[i]][life]
		if f.stand(life, view{record, here, knows}, knows); f.couldBeStronger(life) {
			weak = append(weak, weakLife{life, knows})
		}
	}
	return weak
}

// tips returns the positions of the tips.
func (f *folder) tips() []int32 {
	tips := make([]int32, len(f.Tips))
	for i, tip := range f.Tips {
		tips[i] = f.place(tip.Commit)
	}
	return tips
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
	wanted := make(map[*Life]bool, len(foreign))
	for _, life := range foreign {
		wanted[life] = true
	}
	all := f.namedInHead(wanted, lives)
	var numbers []int // of the tips that may know more than HEAD
	var places []int32
	for i, at := range tips {
		if at == none || f.inHead[at] && !all {
			continue
		}
		numbers, places = append(numbers, i), append(places, at)
		if slices.Index(places, at) < len(places)-1 {
			continue
		}
		for life := range f.recordsAt(at, lives) {
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
	return holder
}

// namedInHead tells whether some plan in HEAD's history has one of some lives. None has one of which HEAD tells nothing, but for
// what plans at the border of a shallow clone hold, and for a second record with an id.
func (f *folder) namedInHead(some map[*Life]bool, lives *registry) bool {
	return slices.ContainsFunc(f.noted, func(at int32) bool {
		return f.inHead[at] && slices.ContainsFunc(f.Notes[at].Names, func(n Name) bool {
			return some[lives.of(&Told{Kind: n.Kind, ID: n.ID, Born: n.Born})]
		})
	})
}

// stand settles a life as a tip knows it, which may know of other endings alone.
func (f *folder) stand(l *Life, v view, endings func(telling) bool) {
	var events []*Event
	for _, e := range l.Events {
		if slices.ContainsFunc(e.copies, v.knows) {
			events = append(events, e)
		}
	}
	l.describe(v.record, v.here, events, f.recordOf)
	switch {
	case !v.here:
		l.standGone(f.ending(l, endings, v.knows), events)
	case l.Kind == plan.KindIssue:
		l.Status = Open
	default:
		l.standHere(v.record, events)
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

// standGone settles a life that is not in the plan by how it ended, nil where that is open.
func (l *Life) standGone(ending *Event, events []*Event) {
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
