package fold

import (
	"encoding/binary"
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
	if f.Part != nil && slices.ContainsFunc(doubtful, func(e *Event) bool { return f.Part.Beyond(e.DoneAt) }) {
		f.short()
	}
	named, by := f.named(doubtful)
	ascend(f.Graph, named, func(i int) int32 { return by[i].at }, func(first int, marks []uint64) {
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
	wanted := map[uint16][]*Event{} // by the first digits
	var isWanted [1 << 16]bool
	for _, e := range events {
		if first, err := hex.DecodeString(e.DoneAt[:min(shortestID, len(e.DoneAt))]); err == nil && len(first) == shortestID/2 {
			n := binary.BigEndian.Uint16(first)
			wanted[n], isWanted[n] = append(wanted[n], e), true
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	for at := range f.commits {
		n := binary.BigEndian.Uint16(f.commits[at].ID[:])
		if !isWanted[n] {
			continue
		}
		for _, e := range wanted[n] {
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
		parents := f.parents(at)
		if len(parents) == 0 || parents[0] < 0 {
			return false
		}
		at = parents[0]
	}
	return false
}

// hasPrefix tells whether digits name a commit.
func (f *folder) hasPrefix(at int32, digits string) bool {
	if len(digits) < shortestID || len(digits) > 2*f.Graph.Size {
		return false
	}
	const hexDigits = "0123456789abcdef"
	for i, b := range f.commits[at].ID[:(len(digits)+1)/2] {
		if digits[2*i] != hexDigits[b>>4] || 2*i+1 < len(digits) && digits[2*i+1] != hexDigits[b&15] {
			return false
		}
	}
	return true
}

// incomplete finds the commits that have ancestors which are not at hand.
func (f *folder) incomplete() []bool {
	set := make([]bool, len(f.commits))
	if len(f.Cut)+len(f.Graph.Missing) == 0 {
		return set
	}
	for at := len(f.commits) - 1; at >= 0; at-- {
		c := &f.commits[at]
		set[at] = f.Cut[c.ID] || slices.ContainsFunc(f.parents(int32(at)), func(p int32) bool { return p < 0 || set[p] })
	}
	return set
}

// warn says what could not be told.
func (f *folder) warn() {
	unread, missing, silent := 0, map[git.Hash]bool{}, 0
	for at := range f.commits {
		if c := &f.commits[at]; c.Blind {
			missing[c.Plan] = true
		}
	}
	for _, at := range f.noted {
		n := f.Notes[at]
		if n.Gone {
			missing[f.commits[at].Plan] = true
		}
		if n.Unread {
			unread++
		}
		if len(n.Told) > 0 && !n.Heard {
			silent++
		}
	}
	f.result.Whole = len(f.Graph.Missing)+len(f.Cut)+len(missing)+silent+len(f.Input.Warnings) == 0
	f.result.Warnings = append(f.result.Warnings, f.Input.Warnings...)
	f.warnOfHead()
	f.warnOf(len(f.Graph.Missing), "%d commits are not at hand; what came before them is not told")
	f.warnOf(len(f.Cut), "the history is cut at %d commits (a shallow clone); what came before them is not told")
	f.warnOf(len(missing), "%d versions of the plan are not at hand and were passed over")
	f.warnOf(unread, "%d commits hold a plan that cannot be read; they were passed over")
	f.warnOf(silent, "%d commits could not be read")
}

// warnOfHead says why no status is reported.
func (f *folder) warnOfHead() {
	at := f.place(f.Head)
	if at == none || f.known(at) {
		return
	}
	reason := "it is not a valid plan"
	if f.shown(at) == nil {
		reason = "an object is missing"
	}
	f.result.Warnings = append(f.result.Warnings, "HEAD's plan cannot be read: "+reason+"; the status of tasks is not reported")
}

func (f *folder) warnOf(n int, format string) {
	if n > 0 {
		f.result.Warnings = append(f.result.Warnings, fmt.Sprintf(format, n))
	}
}

// changedByID tells whether a commit brought another plan than its first parent
// has.
func (f *folder) changedByID(at int) bool {
	parents := f.parents(int32(at))
	return len(parents) == 0 || parents[0] < 0 || f.commits[parents[0]].Plan != f.commits[at].Plan
}
