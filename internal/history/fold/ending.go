package fold

import (
	"slices"

	"git-ralph/internal/plan"
)

// An openEnding is a life that is not in the plan of the first tip that has it, and of which another tip may be surer how it
// ended.
type openEnding struct {
	*Life
	reached func(occurrence) bool // what that tip reached
}

// ending returns the last event with which a life ended, and after which it did not come back: of those that a tip
// reaches, each where it happened last there. What brought it back may lie beyond that.
func (f *builder) ending(l *Life, reached, undoing func(occurrence) bool) *Event {
	var last *Event
	var when occurrence
	for _, e := range l.Events {
		for _, t := range e.copies {
			if !reached(t) || !f.recorded(t).Ends() || slices.ContainsFunc(f.undone[t], undoing) {
				continue
			}
			if last == nil || t.at < when.at || t.at == when.at && t.order > when.order {
				last, when = e, t
			}
		}
	}
	return last
}

// findUndone finds what brought lives back after they had ended: for each ending, the occurrences of the same commit or of
// descendants.
func (f *builder) findUndone(lives *registry) {
	f.undone = map[occurrence][]occurrence{}
	endings := map[int32][]occurrence{} // by commit
	returns := map[occurrence][]occurrence{}
	var sources []int32
	for _, life := range lives.all {
		ends, begins := f.endsAndBegins(life)
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

// endsAndBegins returns the occurrences with which a life ends, and those with which it begins.
func (f *builder) endsAndBegins(life *Life) (ends, begins []occurrence) {
	for _, e := range life.Events {
		for _, t := range e.copies {
			switch recorded := f.recorded(t); {
			case recorded.Ends():
				ends = append(ends, t)
			case recorded.Begins():
				begins = append(begins, t)
			}
		}
	}
	return ends, begins
}

// certainty returns how sure an ending is, whichever commit records it. A cancellation or rejection that is only inferred may
// be anything that a squash with a message of its own flattened.
func (e *Event) certainty() int {
	switch {
	case e == nil:
		return 0
	case e.endRecorded:
		return 3
	case e.Name == plan.EventAccepted:
		return 2
	}
	return 1
}

// isSurerElsewhere reports whether some commit is surer how a life ended that is gone.
func (f *builder) isSurerElsewhere(l *Life) bool {
	if gone := l.Status != Pending && l.Status != Done && l.Status != Other && l.Status != Open; !gone {
		return false
	}
	return slices.ContainsFunc(l.Events, func(e *Event) bool {
		return e.certainty() > l.Outcome.certainty() && slices.ContainsFunc(e.copies, func(t occurrence) bool { return f.recorded(t).Ends() })
	})
}

// settleByTips sets the status of lives again by the tip that is surest how they ended, the first of these.
func (f *builder) settleByTips(open []openEnding) error {
	if len(open) == 0 {
		return nil
	}
	if err := f.needWhole(); err != nil {
		return err
	}
	tips := f.tips()
	descend(f.Graph, tips, func(first int, marks []uint64) {
		for _, life := range open {
			for i := range tips[first:min(first+block, len(tips))] {
				reached := func(t occurrence) bool { return marks[t.at]&(1<<i) != 0 }
				both := func(t occurrence) bool { return reached(t) || life.reached(t) }
				if e := f.ending(life.Life, reached, both); e.certainty() > life.Outcome.certainty() {
					f.setStatus(life.Life, view{reached: both}, reached)
					life.Elsewhere = true
				}
			}
		}
	})
	return nil
}
