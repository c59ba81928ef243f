package fold

import (
	"cmp"
	"math"
	"slices"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// History is what all commits together tell.
type History struct {
	Lives    []*Life  // of tasks and issues, by id
	Events   []*Event // the oldest first: parents before children, then by committer's date and commit
	Warnings []string // what could not be told, and why
	Whole    bool     // everything was at hand
	Short    bool     // the part that was looked at does not tell enough; nothing else here counts

	graph  *git.Graph
	notes  []*Note
	silent *Note
	folder *folder // for what is asked later
}

// An Event is something that happened, however many commits tell it.
type Event struct {
	*Told           // as the commit tells it that is named; not to be changed
	Life   *Life    // nil for an event of the spec
	Commit git.Hash // the oldest one of HEAD's history that tells it, else the oldest
	Also   []git.Hash

	Time     int64     // committer's date of the commit, in seconds
	Date     time.Time // author's date; of what only a message tells, the date there
	Author   string    // address
	Branch   string    // that it was made on, "" where there is none
	Branches []string  // all that it was made on or that have that name, Branch first
	Logged   bool      // a branch's log alone says where it was made
	InHead   bool      // HEAD's history tells it
	Lost     bool      // of a done task: "done_at" names a commit that is no ancestor, or is gone

	at     int32     // position of Commit
	order  int       // place in what the commit tells
	copies []telling // by all commits that tell it, the oldest first
	level  int       // how many times it had happened, with this one

	recorded bool // some commit, of HEAD's history or not, says that a life ended with it
}

// Of makes the history.
func Of(in Input) *History {
	f := &folder{Input: in, commits: in.Graph.Commits, places: map[git.Hash]int32{}, scratch: &scratch{}, result: &History{}}
	f.cutLoops()
	f.findTips()
	f.take()
	lives := f.lives()
	f.events(lives)
	f.orphans()
	f.newest()
	f.settle(lives)
	f.warn()
	f.result.graph, f.result.notes, f.result.silent, f.result.folder = f.Graph, f.Notes, f.Silent, f
	return f.result
}

// cutLoops takes parents that stand before their children for such as are not at
// hand: replaced commits may be their own ancestors.
func (f *folder) cutLoops() {
	for at := range f.commits {
		parents := f.parents(int32(at))
		for i, p := range parents {
			if p >= 0 && int(p) <= at {
				parents[i] = none
			}
		}
	}
}

// findTips notes where HEAD and the tips stand in the graph.
func (f *folder) findTips() {
	wanted := map[git.Hash]bool{f.Head: true}
	for _, tip := range f.Tips {
		wanted[tip.Commit] = true
	}
	var first [1 << 8]bool // most commits are told apart by a byte
	for id := range wanted {
		first[id[0]] = true
	}
	for at := range f.commits {
		if id := &f.commits[at].ID; first[id[0]] && wanted[*id] {
			f.places[*id] = int32(at)
		}
	}
}

// place returns the position of a tip.
func (f *folder) place(id git.Hash) int32 {
	if at, found := f.places[id]; found {
		return at
	}
	return none
}

// events puts together what the commits tell.
func (f *folder) events(lives *registry) {
	origins := f.origins()
	f.inHead = f.Graph.Reached(f.place(f.Head))
	groups := f.groups(lives)
	events := make([]Event, len(groups))
	for i := range groups {
		f.event(&events[i], groups[i], origins)
	}
	f.result.Events = inOrder(events)
	for _, e := range f.result.Events {
		if e.Life != nil {
			e.Life.Events = append(e.Life.Events, e)
		}
	}
}

// newest leaves out the events that a part does not tell all of; their lives keep them.
func (f *folder) newest() {
	if f.Part != nil {
		f.result.Events = slices.DeleteFunc(f.result.Events, func(e *Event) bool { return !e.InHead || e.at > f.Part.Last })
	}
}

// short notes that the answer to something lies beyond the part that is looked at.
func (f *folder) short() {
	if f.Part != nil {
		f.result.Short = true
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

// event makes one event of its tellings, which come with the oldest first.
func (f *folder) event(e *Event, g group, origins map[int32]origin) {
	first := slices.IndexFunc(g.tellings, func(t telling) bool { return f.inHead[t.at] })
	chosen := g.tellings[max(first, 0)]
	*e = Event{Told: f.told(chosen), Life: g.life, at: chosen.at, order: chosen.order, level: g.level, InHead: first >= 0}
	trailer, ends, known := true, false, false // of an event that HEAD knows, its own commits say whether it ended so
	e.copies = g.tellings
	for _, t := range g.tellings {
		told := f.told(t)
		trailer = trailer && told.Trailer
		says := told.ends() && !told.Inferred
		if e.recorded = e.recorded || says; f.inHead[t.at] == e.InHead {
			ends, known = ends || told.ends(), known || says
		}
		if t.at != e.at {
			e.Also = append(e.Also, f.commits[t.at].ID)
		}
	}
	f.name(e, chosen, g.tellings, origins)
	inferred := ends && !known
	if again := e.Name == plan.EventAdded && g.level > 1; again || trailer != e.Trailer || inferred != e.Inferred {
		told := *e.Told
		if told.Trailer, told.Inferred = trailer, inferred; again {
			told.Name = plan.EventReopened
		}
		e.Told = &told
	}
	f.date(e)
}

// name says on which branches an event was made: that of the commit which is reported first, then those of the others, then
// what these were called before or after. What nothing else names is the main line's.
func (f *folder) name(e *Event, chosen telling, tellings []telling, origins map[int32]origin) {
	add := func(t telling) {
		o := origins[t.at]
		if branch := f.told(t).Branch; branch != "" {
			o = origin{branches: []string{branch}}
		}
		e.Logged = e.Logged || o.logged
		for _, branch := range o.branches {
			if !slices.Contains(e.Branches, branch) {
				e.Branches = append(e.Branches, branch)
			}
		}
	}
	add(chosen)
	for _, t := range tellings {
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

// date says when an event happened and who did it.
func (f *folder) date(e *Event) {
	c := &f.commits[e.at]
	e.Commit, e.Time = c.ID, c.Time
	if s, ok := f.speech(e.at); ok {
		e.Author, e.Date = s.By, s.date()
	}
	told := f.told(telling{e.at, e.order})
	if !told.Trailer {
		return
	}
	if at, err := time.Parse(time.RFC3339, told.At); err == nil {
		e.Date = at
	}
	e.Author = cmp.Or(told.By, e.Author)
}

// IDSize is the length of a commit's id in bytes.
func (h *History) IDSize() int { return h.graph.Size }

// Reaches returns which events are told by a commit or its ancestors, nil where
// the history does not know the commit.
func (h *History) Reaches(commit git.Hash) func(*Event) bool {
	at := slices.IndexFunc(h.graph.Commits, func(c git.Walked) bool { return c.ID == commit })
	if at < 0 {
		return nil
	}
	set := h.graph.Reached(int32(at))
	return func(e *Event) bool { return slices.ContainsFunc(e.copies, func(c telling) bool { return set[c.at] }) }
}
