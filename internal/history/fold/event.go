package fold

import (
	"cmp"
	"math"
	"slices"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/history/record"
	"git-ralph/internal/plan"
)

// An Event is something that happened, however many commits record it.
type Event struct {
	*record.Event          // as Commit records it; not to be changed
	Life          *Life    // nil for an event of the spec
	Commit        git.Hash // the oldest one of HEAD's history that records it, else the oldest
	Also          []git.Hash

	Time     int64     // committer's date of the commit, in seconds
	Date     time.Time // author's date; of what only a message reports, the date there
	Author   string    // address
	Branch   string    // that it was made on, "" where there is none
	Branches []string  // all that it was made on or that have that name, Branch first
	Logged   bool      // a branch's reflog alone says where it was made
	InHead   bool      // HEAD's history records it
	Orphaned bool      // of a done task: "done_at" names a commit that is no ancestor, or is missing

	at     int32        // position of Commit
	order  int          // place in what the commit records
	copies []occurrence // by all commits that record it, the oldest first
	level  int          // how many times it had happened, with this one

	decomposes  bool // a cancellation with which other tasks took the place of one
	endRecorded bool // some commit, of HEAD's history or not, records that a life ended with it
}

// makeEvents puts together what the commits record.
func (f *builder) makeEvents(lives *registry) {
	origins := f.origins()
	f.inHead = f.Graph.Reached(f.place(f.Head))
	groups := f.groups(lives)
	events := make([]Event, len(groups))
	for i := range groups {
		f.makeEvent(&events[i], groups[i], origins)
	}
	f.result.Events = inOrder(events)
	for _, e := range f.result.Events {
		if e.Life != nil {
			e.Life.Events = append(e.Life.Events, e)
		}
	}
}

// inOrder sorts events, the oldest first.
func inOrder(events []Event) []*Event {
	type place struct{ when, index uint64 }
	places := make([]place, len(events))
	for i := range events {
		places[i] = place{uint64(math.MaxInt32-events[i].at)<<32 | uint64(events[i].order), uint64(i)}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.when, b.when) })
	ordered := make([]*Event, len(events))
	for i, p := range places {
		ordered[i] = &events[p.index]
	}
	return ordered
}

// makeEvent makes one event of its occurrences, which come with the oldest first.
func (f *builder) makeEvent(e *Event, g group, origins map[int32]origin) {
	first := slices.IndexFunc(g.occurrences, func(t occurrence) bool { return f.inHead[t.at] })
	chosen := g.occurrences[max(first, 0)]
	*e = Event{Event: f.recorded(chosen), Life: g.life, at: chosen.at, order: chosen.order, level: g.level, InHead: first >= 0}
	trailer, ends, known := true, false, false // of an event that HEAD reached, its own commits say whether it ended so
	e.copies = g.occurrences
	for _, t := range g.occurrences {
		recorded := f.recorded(t)
		trailer = trailer && recorded.TrailerOnly
		says := recorded.Ends() && !recorded.Inferred
		if e.endRecorded = e.endRecorded || says; f.inHead[t.at] == e.InHead {
			ends, known = ends || recorded.Ends(), known || says
		}
		if t.at != e.at {
			e.Also = append(e.Also, f.commits[t.at].ID)
		}
	}
	f.setBranches(e, chosen, g.occurrences, origins)
	inferred := ends && !known
	if again := f.isReturn(e); again || trailer != e.TrailerOnly || inferred != e.Inferred {
		recorded := *e.Event
		if recorded.TrailerOnly, recorded.Inferred = trailer, inferred; again {
			recorded.Name, recorded.Reason = plan.EventReopened, ""
		}
		e.Event = &recorded
	}
	f.setDate(e)
}

// isReturn reports whether with an event a task is again as it was before: it is back in the plan, or its tombstone is back, as after two
// reverts, and no message says that the task was rejected once more.
func (f *builder) isReturn(e *Event) bool {
	switch {
	case e.level == 1:
		return false
	case e.Name == plan.EventRejected:
		return !e.Left && !slices.ContainsFunc(e.copies, func(t occurrence) bool { return f.recorded(t).At != "" })
	}
	return e.Name == plan.EventAdded
}

// setBranches sets on which branches an event was made: that of the commit which is reported first, then those of the others, then
// what these were called before or after. A branch that a message names and that is gone may have been renamed: where its
// commits went counts as well. What nothing else names is the main line's.
func (f *builder) setBranches(e *Event, chosen occurrence, occurrences []occurrence, origins map[int32]origin) {
	add := func(t occurrence) {
		o := origins[t.at]
		if branch := f.recorded(t).Branch; f.live[branch] {
			o = origin{branches: []string{branch}}
		} else if branch != "" { // gone, or renamed since
			o = origin{branches: append([]string{branch}, o.branches...)}
		}
		e.Logged = e.Logged || o.logged
		for _, branch := range o.branches {
			if !slices.Contains(e.Branches, branch) {
				e.Branches = append(e.Branches, branch)
			}
		}
	}
	add(chosen)
	for _, t := range occurrences {
		add(t)
	}
	if len(e.Branches) == 0 && f.Main != "" {
		e.Branches = []string{f.Main}
	}
	for _, branch := range e.Branches {
		for _, alias := range f.aliases(branch, e.at) {
			if !slices.Contains(e.Branches, alias) {
				e.Branches = append(e.Branches, alias)
			}
		}
	}
	if len(e.Branches) > 0 {
		e.Branch = e.Branches[0]
	}
}

// setDate sets when an event happened and who made it.
func (f *builder) setDate(e *Event) {
	c := &f.commits[e.at]
	e.Commit, e.Time = c.ID, c.Time
	if m := f.Entries[e.at].Message; m != nil {
		e.Author, e.Date = m.By, m.Date()
	}
	recorded := f.recorded(occurrence{e.at, e.order})
	if !recorded.TrailerOnly {
		return
	}
	if at, err := time.Parse(time.RFC3339, recorded.At); err == nil {
		e.Date = at
	}
	e.Author = cmp.Or(recorded.By, e.Author)
}
