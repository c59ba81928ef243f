package fold

import (
	"slices"

	"git-ralph/internal/plan"
)

// A weakLife is a life that is not in the plan of the tip that was asked first, and of which another one may know better how
// it ended.
type weakLife struct {
	*Life
	knows func(telling) bool // what that tip knows
}

// ending returns the last event with which a life ended, and after which it did not come back: of those that a tip knows,
// each where it happened last there. What brought it back may be known beyond that.
func (f *folder) ending(l *Life, knows, undoing func(telling) bool) *Event {
	var last *Event
	var when telling
	for _, e := range l.Events {
		for _, t := range e.copies {
			if !knows(t) || !f.told(t).ends() || slices.ContainsFunc(f.undone[t], undoing) {
				continue
			}
			if last == nil || t.at < when.at || t.at == when.at && t.order > when.order {
				last, when = e, t
			}
		}
	}
	return last
}

// findUndone finds what brought lives back after they had ended: for each ending, the tellings of the same commit or of
// descendants.
func (f *folder) findUndone(lives *registry) {
	f.undone = map[telling][]telling{}
	endings := map[int32][]telling{} // by commit
	returns := map[telling][]telling{}
	var sources []int32
	for _, life := range lives.all {
		ends, begins := f.turns(life)
		for _, e := range ends {
			for _, b := range begins {
				switch {
				case b.at == e.at && b.order > e.order:
					f.undone[e] = append(f.undone[e], b)
				case b.at < e.at:
					returns[e] = append(returns[e], b)
				}
			}
			if returns[e] != nil {
				if endings[e.at] == nil {
					sources = append(sources, e.at)
				}
				endings[e.at] = append(endings[e.at], e)
			}
		}
	}
	newest := func(i int) int32 {
		at := sources[i]
		for _, e := range endings[at] {
			for _, b := range returns[e] {
				at = min(at, b.at)
			}
		}
		return at
	}
	ascend(f.Graph, sources, newest, func(first int, marks []uint64) {
		for i, at := range sources[first:min(first+block, len(sources))] {
			for _, e := range endings[at] {
				for _, b := range returns[e] {
					if marks[b.at]&(1<<i) != 0 {
						f.undone[e] = append(f.undone[e], b)
					}
				}
			}
		}
	})
}

// turns returns the tellings with which a life ends, and those with which it begins.
func (f *folder) turns(life *Life) (ends, begins []telling) {
	for _, e := range life.Events {
		for _, t := range e.copies {
			switch told := f.told(t); {
			case told.ends():
				ends = append(ends, t)
			case told.begins():
				begins = append(begins, t)
			}
		}
	}
	return ends, begins
}

// strength says how sure an ending is, whoever says so. A cancellation or rejection that is only inferred may be anything that a squash with a
// message of its own flattened.
func (e *Event) strength() int {
	switch {
	case e == nil:
		return 0
	case e.recorded:
		return 3
	case e.Name == plan.EventAccepted:
		return 2
	}
	return 1
}

// couldBeStronger tells whether some commit says more surely how a life ended that is gone.
func (f *folder) couldBeStronger(l *Life) bool {
	if gone := l.Status != Pending && l.Status != Done && l.Status != Other && l.Status != Open; !gone {
		return false
	}
	return slices.ContainsFunc(l.Events, func(e *Event) bool {
		return e.strength() > l.Outcome.strength() && slices.ContainsFunc(e.copies, func(t telling) bool { return f.told(t).ends() })
	})
}

// askTips settles lives anew by the tip that knows best how they ended, the first of these.
func (f *folder) askTips(weak []weakLife) {
	if len(weak) == 0 {
		return
	}
	if f.short(); f.result.Short {
		return
	}
	tips := f.tips()
	descend(f.Graph, tips, func(first int, marks []uint64) {
		for _, life := range weak {
			for i := range tips[first:min(first+block, len(tips))] {
				knows := func(t telling) bool { return marks[t.at]&(1<<i) != 0 }
				both := func(t telling) bool { return knows(t) || life.knows(t) }
				if e := f.ending(life.Life, knows, both); e.strength() > life.Outcome.strength() {
					f.stand(life.Life, view{knows: both}, knows)
					life.Elsewhere = true
				}
			}
		}
	})
}
