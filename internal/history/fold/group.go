package fold

import (
	"maps"
	"slices"

	"git-ralph/internal/history/record"
	"git-ralph/internal/plan"
)

// An occurrence is one event of one commit.
type occurrence struct {
	at    int32
	order int // among the events of the commit
}

// A group is the occurrences of one event: copies by rebases, cherry-picks and
// squashes, the oldest first.
type group struct {
	life        *Life
	level       int // of the first
	occurrences []occurrence
	stamp       stamp
}

// A stamp is when and by whom a message says that an event happened. Two occurrences that both have one are of one event if
// it is the same.
type stamp struct{ at, by string }

func stampOf(e *record.Event) stamp {
	if e.At == "" {
		return stamp{}
	}
	return stamp{e.At, e.By}
}

// A subject is whose event it is, and which: all that copies of an event certainly have in common.
type subject struct {
	life *Life
	spec string // or the id of a task that nothing else mentions
	name plan.EventName
}

// A fact is what happened to a subject, as far as the plan shows it.
type fact struct {
	subject
	attempt, reason, change string
	left                    bool
}

// recorded returns an event as a commit records it.
func (f *builder) recorded(t occurrence) *record.Event { return &f.Entries[t.at].Events[t.order] }

// groups finds which commits record one event: occurrences with one stamp; where one of them has none, those of one fact. Of
// two commits that record one fact, one of which is an ancestor of the other, the second records that it happened again; so
// the n-th time on one line of history goes with the n-th time on another.
func (f *builder) groups(lives *registry) []group {
	subjects := f.subjects(lives)
	levels := f.levels(f.repeated(subjects))
	f.leaveOutKnown(subjects, levels)
	groups := make([]group, 0, len(subjects))
	for s, occurrences := range subjects {
		if len(occurrences) == 1 {
			groups = append(groups, group{life: lives.of(f.recorded(occurrences[0])), level: 1, occurrences: occurrences})
			continue
		}
		for _, g := range f.copies(s, occurrences, levels, lives) {
			groups = append(groups, *g)
		}
	}
	return groups
}

// copies puts the occurrences of a subject into groups.
func (f *builder) copies(s subject, occurrences []occurrence, levels map[occurrence]int, lives *registry) (groups []*group) {
	type nth struct {
		fact
		level int
	}
	byStamp, byFact := map[stamp]*group{}, map[nth]*group{}
	for _, t := range occurrences {
		recorded, n := f.recorded(t), nth{f.factOf(s, t), max(levels[t], 1)}
		if f.isKnown(t, n.level) {
			continue
		}
		st := stampOf(recorded)
		g := byStamp[st]
		if st == (stamp{}) || g == nil {
			g = byFact[n]
			if g != nil && g.stamp != st && g.stamp != (stamp{}) && st != (stamp{}) {
				g = nil
			}
		}
		if g == nil {
			g = &group{life: lives.of(recorded), level: n.level}
			groups = append(groups, g)
		}
		if g.stamp == (stamp{}) {
			g.stamp = st
			byStamp[st] = g
		}
		if byFact[n] == nil {
			byFact[n] = g
		}
		if !slices.ContainsFunc(g.occurrences, func(o occurrence) bool { return o.at == t.at }) {
			g.occurrences = append(g.occurrences, t)
		}
	}
	return groups
}

// leaveOutKnown takes out the tombstones that stood there before, on the same line of history, and that reject nothing anew. What is
// left of them is counted again, as the n-th time that an attempt was rejected.
func (f *builder) leaveOutKnown(subjects map[subject][]occurrence, levels map[occurrence]int) {
	var again [][]occurrence
	for s, occurrences := range subjects {
		if s.name != plan.EventRejected {
			continue
		}
		occurrences = slices.DeleteFunc(occurrences, func(t occurrence) bool {
			recorded := f.recorded(t)
			return recorded.Repeat || levels[t] > 1 && !recorded.Left && !recorded.Rejects
		})
		subjects[s] = occurrences
		if len(occurrences) < 2 {
			continue
		}
		for _, t := range occurrences {
			delete(levels, t)
		}
		for _, same := range f.byFact(s, occurrences) {
			if len(same) > 1 {
				again = append(again, same)
			}
		}
	}
	maps.Copy(levels, f.levels(again))
}

// isKnown reports whether an occurrence is none of an event of its commit: it happened before, on one of the lines that a merge put
// together.
func (f *builder) isKnown(t occurrence, level int) bool {
	recorded := f.recorded(t)
	again := recorded.Name == plan.EventAdded || recorded.Name == plan.EventIssueAdded || recorded.Name == plan.EventItemAdded // which is an event of its own
	return level > 1 && recorded.At == "" && !again && len(f.Parents(t.at)) > 1
}

// subjects lists the occurrences of each subject, the oldest first.
func (f *builder) subjects(lives *registry) map[subject][]occurrence {
	n := 0
	for e := range f.entries() {
		n += len(e.Events)
	}
	subjects := make(map[subject][]occurrence, n)
	room := make([]occurrence, 0, n) // most facts are recorded once
	for _, at := range f.nonempty {
		for order := range f.Entries[at].Events {
			t := &f.Entries[at].Events[order]
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
				subjects[s] = append(before, occurrence{at, order})
				continue
			}
			room = append(room, occurrence{at, order})
			subjects[s] = room[len(room)-1 : len(room) : len(room)]
		}
	}
	return subjects
}

// factOf returns what an occurrence says about its subject.
func (f *builder) factOf(s subject, t occurrence) fact {
	recorded := f.recorded(t)
	return fact{s, recorded.AttemptKey(), recorded.ReasonKey(), recorded.Change, recorded.Left}
}

// byFact groups the occurrences of a subject by what they say about it.
func (f *builder) byFact(s subject, occurrences []occurrence) map[fact][]occurrence {
	byFact := map[fact][]occurrence{}
	for _, t := range occurrences {
		k := f.factOf(s, t)
		byFact[k] = append(byFact[k], t)
	}
	return byFact
}

// repeated lists the facts that are recorded more than once. A task that left the plan rejected was given a tombstone: that
// is a fact too.
func (f *builder) repeated(subjects map[subject][]occurrence) (facts [][]occurrence) {
	for s, occurrences := range subjects {
		if len(occurrences) < 2 {
			continue
		}
		byFact := f.byFact(s, occurrences)
		for _, t := range occurrences {
			if k := f.factOf(s, t); k.left {
				k.left = false
				byFact[k] = append(byFact[k], occurrence{t.at, tombstoneOf(t.order)})
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

// tombstoneOf stands for the tombstone of an occurrence that a task left rejected.
func tombstoneOf(order int) int { return -1 - order }

// levels counts, for each occurrence of a fact that is recorded more than once, the longest line of ancestors that record
// it, itself included.
func (f *builder) levels(facts [][]occurrence) map[occurrence]int {
	var sources []int32
	repeated := map[int32][][]occurrence{} // the facts that a commit is one of several to record
	for _, occurrences := range facts {
		for _, t := range occurrences {
			if repeated[t.at] == nil {
				sources = append(sources, t.at)
			}
			repeated[t.at] = append(repeated[t.at], occurrences)
		}
	}
	slices.Sort(sources)
	slices.Reverse(sources) // the oldest first: all ancestors of a commit come before it
	levels := map[occurrence]int{}
	newest := func(i int) int32 {
		at := sources[i]
		for _, occurrences := range repeated[at] {
			at = min(at, occurrences[len(occurrences)-1].at)
		}
		return at
	}
	ascend(f.Graph, sources, newest, func(first int, marks []uint64) {
		for i, at := range sources[first:min(first+block, len(sources))] {
			for _, occurrences := range repeated[at] {
				f.raise(levels, occurrences, at, marks, uint64(1)<<i)
			}
		}
	})
	return levels
}

// raise sets the levels of what the commit at a position records, which are final by now, and lifts those of its descendants
// above them.
func (f *builder) raise(levels map[occurrence]int, occurrences []occurrence, at int32, marks []uint64, bit uint64) {
	own := 1
	for _, t := range occurrences {
		if t.at == at {
			own = max(own, levels[t])
			levels[t] = own
		}
	}
	for _, t := range occurrences {
		if t.at != at && marks[t.at]&bit != 0 {
			levels[t] = max(levels[t], own+1)
		}
	}
}
