package fold

import (
	"slices"

	"git-ralph/internal/plan"
)

// A telling is one event of one commit.
type telling struct {
	at    int32
	order int // in what the commit tells
}

// A group is the tellings of one event: copies by rebases, cherry-picks and
// squashes, the oldest first.
type group struct {
	life     *Life
	level    int // of the first
	tellings []telling
	stamp    stamp
}

// A stamp is when and by whom a message says that an event happened. Of two tellings that both have one, it tells whether
// they are of one event.
type stamp struct{ at, by string }

func (t *Told) stamp() stamp {
	if t.At == "" {
		return stamp{}
	}
	return stamp{t.At, t.By}
}

// A subject is whose event it is, and which: all that copies of an event certainly have in common.
type subject struct {
	life *Life
	spec string // or the id of a task that nothing else tells of
	name plan.EventName
}

// A fact is what happened to a subject, as far as the plan shows it.
type fact struct {
	subject
	attempt, reason, change string
	left                    bool
}

// told returns an event as a commit tells it.
func (f *folder) told(t telling) *Told { return &f.Notes[t.at].Told[t.order] }

// groups finds which commits tell the same: tellings with one stamp; where one of them has none, those of one fact. Of two
// that tell the same fact, one of which is an ancestor of the other, the second tells that it happened again; so the n-th
// time on one line of history goes with the n-th time on another.
func (f *folder) groups(lives *registry) []group {
	subjects := f.subjects(lives)
	levels := f.levels(f.repeated(subjects))
	groups := make([]group, 0, len(subjects))
	for s, tellings := range subjects {
		if len(tellings) == 1 {
			if t := f.told(tellings[0]); !t.Quiet {
				groups = append(groups, group{life: lives.of(t), level: 1, tellings: tellings})
			}
			continue
		}
		for _, g := range f.copies(s, tellings, levels, lives) {
			groups = append(groups, *g)
		}
	}
	return groups
}

// copies puts the tellings of a subject into groups.
func (f *folder) copies(s subject, tellings []telling, levels map[telling]int, lives *registry) (groups []*group) {
	type nth struct {
		fact
		level int
	}
	byStamp, byFact := map[stamp]*group{}, map[nth]*group{}
	for _, t := range tellings {
		told, n := f.told(t), nth{f.factOf(s, t), max(levels[t], 1)}
		if f.isKnown(t, n.level) {
			continue
		}
		st := told.stamp()
		g := byStamp[st]
		if st == (stamp{}) || g == nil {
			g = byFact[n]
			if g != nil && g.stamp != st && g.stamp != (stamp{}) && st != (stamp{}) {
				g = nil
			}
		}
		if g == nil {
			g = &group{life: lives.of(told), level: n.level}
			groups = append(groups, g)
		}
		if g.stamp == (stamp{}) {
			g.stamp = st
			byStamp[st] = g
		}
		if byFact[n] == nil {
			byFact[n] = g
		}
		if !slices.ContainsFunc(g.tellings, func(o telling) bool { return o.at == t.at }) {
			g.tellings = append(g.tellings, t)
		}
	}
	return groups
}

// isKnown tells whether a telling is none of an event of its commit: the tombstone of a rejection stood there before, on the
// same line of history or on one that a merge put together.
func (f *folder) isKnown(t telling, level int) bool {
	told := f.told(t)
	switch {
	case told.Quiet:
		return true
	case told.Name == plan.EventRejected && !told.Left:
		return level > 1
	}
	again := told.Name == plan.EventAdded || told.Name == plan.EventIssueAdded // which is an event of its own
	return level > 1 && told.At == "" && !again && len(f.parents(t.at)) > 1
}

// subjects lists which commits tell of each subject, the oldest first.
func (f *folder) subjects(lives *registry) map[subject][]telling {
	n := 0
	for note := range f.notes() {
		n += len(note.Told)
	}
	subjects := make(map[subject][]telling, n)
	room := make([]telling, 0, n) // most facts are told once
	for _, at := range f.noted {
		for order := range f.Notes[at].Told {
			t := &f.Notes[at].Told[order]
			s := subject{name: t.Name}
			switch {
			case t.Kind == plan.KindSpec:
				s.spec = t.ID
			case t.Name == plan.EventRejected: // whoever had the id when the tombstone came back
				if s.life = lives.first(t.Kind, t.ID); s.life == nil {
					s.spec = t.ID
				}
			default:
				s.life = lives.of(t)
			}
			if before := subjects[s]; before != nil {
				subjects[s] = append(before, telling{at, order})
				continue
			}
			room = append(room, telling{at, order})
			subjects[s] = room[len(room)-1 : len(room) : len(room)]
		}
	}
	return subjects
}

// factOf returns what a telling says about its subject.
func (f *folder) factOf(s subject, t telling) fact {
	told := f.told(t)
	return fact{s, told.attempt(), told.reason(), told.Change, told.Left}
}

// repeated lists the facts that are told more than once. Who left the plan rejected was given a tombstone: that is told too.
func (f *folder) repeated(subjects map[subject][]telling) (facts [][]telling) {
	for s, tellings := range subjects {
		if len(tellings) < 2 {
			continue
		}
		byFact := map[fact][]telling{}
		for _, t := range tellings {
			k := f.factOf(s, t)
			byFact[k] = append(byFact[k], t)
			if k.left {
				k.left = false
				byFact[k] = append(byFact[k], telling{t.at, tombstoneOf(t.order)})
			}
		}
		for _, same := range byFact {
			if len(same) > 1 {
				facts = append(facts, same)
			}
		}
	}
	return facts
}

// tombstoneOf stands for the tombstone of a telling that a task left rejected.
func tombstoneOf(order int) int { return -1 - order }

// levels counts, for each telling of a fact that is told more than once, the
// longest line of ancestors that tell it, itself included.
func (f *folder) levels(facts [][]telling) map[telling]int {
	var sources []int32
	repeated := map[int32][][]telling{} // the facts that a commit is one of several to tell
	for _, tellings := range facts {
		for _, t := range tellings {
			if repeated[t.at] == nil {
				sources = append(sources, t.at)
			}
			repeated[t.at] = append(repeated[t.at], tellings)
		}
	}
	slices.Sort(sources)
	slices.Reverse(sources) // the oldest first: all ancestors of a commit come before it
	levels := map[telling]int{}
	newest := func(i int) int32 {
		at := sources[i]
		for _, tellings := range repeated[at] {
			at = min(at, tellings[len(tellings)-1].at)
		}
		return at
	}
	ascend(f.Graph, sources, newest, func(first int, marks []uint64) {
		for i, at := range sources[first:min(first+block, len(sources))] {
			for _, tellings := range repeated[at] {
				f.raise(levels, tellings, at, marks, uint64(1)<<i)
			}
		}
	})
	return levels
}

// raise gives what at tells its level, which is final by now, and lifts those of
// its descendants above it.
func (f *folder) raise(levels map[telling]int, tellings []telling, at int32, marks []uint64, bit uint64) {
	own := 1
	for _, t := range tellings {
		if t.at == at {
			own = max(own, levels[t])
			levels[t] = own
		}
	}
	for _, t := range tellings {
		if t.at != at && marks[t.at]&bit != 0 {
			levels[t] = max(levels[t], own+1)
		}
	}
}
