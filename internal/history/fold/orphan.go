package fold

import (
	"encoding/hex"
	"fmt"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// orphans finds the done tasks whose "done_at" names a commit that is no
// ancestor of the one that made them so. Where part of the history is not at
// hand nobody can tell.
func (f *folder) orphans() {
	incomplete := f.incomplete()
	var doubtful []*Event
	for _, e := range f.result.Events {
		if e.Name == plan.EventDone && e.DoneAt != "" && !f.near(e) {
			e.Lost = !incomplete[e.at]
			doubtful = append(doubtful, e)
		}
	}
	named, by := f.named(doubtful)
	ascend(f.commits, named, func(first int, marks []uint64) {
		for i, e := range by[first:min(first+block, len(by))] {
			if marks[e.at]&(1<<i) != 0 {
				e.Lost = false
			}
		}
	})
}

// shortestID is how many digits of a commit's id name it at least; git takes no
// fewer either.
const shortestID = 4

// named finds the commits that "done_at" of events names: positions, and beside
// each the event.
func (f *folder) named(events []*Event) (commits []int32, by []*Event) {
	wanted := map[string][]*Event{} // by the first digits
	for _, e := range events {
		if len(e.DoneAt) >= shortestID {
			first := e.DoneAt[:shortestID]
			wanted[first] = append(wanted[first], e)
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	var digits [2 * len(git.Hash{})]byte
	for at := range f.commits {
		id := f.commits[at].ID[:f.Graph.Size]
		hex.Encode(digits[:], id[:shortestID/2])
		for _, e := range wanted[string(digits[:shortestID])] {
			if f.hasPrefix(int32(at), e.DoneAt) {
				commits, by = append(commits, int32(at)), append(by, e)
			}
		}
	}
	return commits, by
}

// nearby is how many first parents are looked at before the whole graph is.
const nearby = 8

// near tells whether "done_at" is close above the commit: mostly it is the
// parent.
func (f *folder) near(e *Event) bool {
	at := e.at
	for range nearby {
		if f.hasPrefix(at, e.DoneAt) {
			return true
		}
		parents := f.commits[at].Parents
		if len(parents) == 0 || parents[0] < 0 {
			return false
		}
		at = parents[0]
	}
	return false
}

// hasPrefix tells whether digits name a commit.
func (f *folder) hasPrefix(at int32, digits string) bool {
	var id [2 * len(git.Hash{})]byte
	n := hex.Encode(id[:], f.commits[at].ID[:f.Graph.Size])
	return len(digits) >= shortestID && len(digits) <= n && string(id[:len(digits)]) == digits
}

// incomplete finds the commits that have ancestors which are not at hand.
func (f *folder) incomplete() []bool {
	set := make([]bool, len(f.commits))
	for at := len(f.commits) - 1; at >= 0; at-- {
		c := &f.commits[at]
		set[at] = f.Cut[c.ID] || slices.ContainsFunc(c.Parents, func(p int32) bool { return p < 0 || set[p] })
	}
	return set
}

// warn says what could not be told.
func (f *folder) warn() {
	unread, missing, silent := 0, map[git.Hash]bool{}, 0
	for at := range f.commits {
		c := &f.commits[at]
		if n := f.Notes[at]; len(n.Told) > 0 && !n.Heard {
			silent++
		}
		if c.Blind {
			missing[c.Plan] = true
		}
		if c.Plan.IsZero() || !f.changedByID(at) {
			continue
		}
		switch readable, atHand := f.Plans.Readable(c.Plan); {
		case !atHand:
			missing[c.Plan] = true
		case !readable:
			unread++
		}
	}
	f.result.Whole = len(f.Graph.Missing)+len(f.Cut)+len(missing)+silent == 0
	f.warnOf(len(f.Graph.Missing), "%d commits are not at hand; what came before them is not told")
	f.warnOf(len(f.Cut), "the history is cut at %d commits (a shallow clone); what came before them is not told")
	f.warnOf(len(missing), "%d versions of the plan are not at hand and were passed over")
	f.warnOf(unread, "%d commits hold a plan that cannot be read; they were passed over")
	f.warnOf(silent, "%d commits could not be read")
}

func (f *folder) warnOf(n int, format string) {
	if n > 0 {
		f.result.Warnings = append(f.result.Warnings, fmt.Sprintf(format, n))
	}
}

// changedByID tells whether a commit brought another plan than its first parent
// has.
func (f *folder) changedByID(at int) bool {
	c := &f.commits[at]
	return len(c.Parents) == 0 || c.Parents[0] < 0 || f.commits[c.Parents[0]].Plan != c.Plan
}
