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
	level    int
	tellings []telling
}

// A fact is what copies of an event have in common.
type fact struct {
	life    *Life
	spec    string
	name    plan.EventName
	attempt string
}

// told returns an event as a commit tells it.
func (f *folder) told(t telling) *Told { return &f.Notes[t.at].Told[t.order] }

// groups finds which commits tell the same. Of two that tell the same fact, one
// of which is an ancestor of the other, the second tells that it happened again;
// so the n-th time on one line of history goes with the n-th time on another.
func (f *folder) groups(lives *registry) []group {
	facts := f.facts(lives)
	levels := f.levels(facts)
	groups := make([]group, 0, len(facts))
	for k, tellings := range facts {
		if len(tellings) == 1 {
			groups = append(groups, group{life: k.life, level: 1, tellings: tellings})
			continue
		}
		byLevel := map[int]*group{}
		for _, t := range tellings {
			level := max(levels[t], 1)
			if byLevel[level] == nil {
				byLevel[level] = &group{life: k.life, level: level}
			}
			g := byLevel[level]
			if !slices.ContainsFunc(g.tellings, func(o telling) bool { return o.at == t.at }) {
				g.tellings = append(g.tellings, t)
			}
		}
		for _, g := range byLevel {
			groups = append(groups, *g)
		}
	}
	return groups
}

// facts lists which commits tell each fact, the oldest first.
func (f *folder) facts(lives *registry) map[fact][]telling {
	n := 0
	for note := range f.notes() {
		n += len(note.Told)
	}
	facts := make(map[fact][]telling, n)
	room := make([]telling, 0, n) // most facts are told once
	for _, at := range f.noted {
		for order := range f.Notes[at].Told {
			t := &f.Notes[at].Told[order]
			k := fact{name: t.Name, attempt: t.attempt()}
			if t.Kind == plan.KindSpec {
				k.spec = t.ID
			} else {
				k.life = lives.of(t)
			}
			if before := facts[k]; before != nil {
				facts[k] = append(before, telling{at, order})
				continue
			}
			room = append(room, telling{at, order})
			facts[k] = room[len(room)-1 : len(room) : len(room)]
		}
	}
	return facts
}

// levels counts, for each telling of a fact that is told more than once, the
// longest line of ancestors that tell it, itself included.
func (f *folder) levels(facts map[fact][]telling) map[telling]int {
	var sources []int32
	repeated := map[int32][][]telling{} // the facts that a commit is one of several to tell
	for _, tellings := range facts {
		if len(tellings) < 2 {
			continue
		}
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
