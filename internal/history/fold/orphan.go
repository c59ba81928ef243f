package fold

import (
	"encoding/binary"
	"encoding/hex"
	"slices"

	"git-ralph/internal/plan"
)

// findOrphans finds the done tasks whose "done_at" names a commit that is no ancestor of the one that made them so. Where a
// part of the history is missing, that is unknown.
func (f *builder) findOrphans() error {
	incomplete := f.incomplete()
	var doubtful []*Event
	for _, e := range f.result.Events {
		if e.Name == plan.EventDone && e.DoneAt != "" && !f.near(e) {
			e.Orphaned = !incomplete[e.at]
			doubtful = append(doubtful, e)
		}
	}
	if f.Part != nil && slices.ContainsFunc(doubtful, func(e *Event) bool { return f.Part.Beyond(e.DoneAt) }) {
		return ErrPart
	}
	named, by := f.commitsNamedBy(doubtful)
	ascend(f.Graph, named, func(i int) int32 { return by[i].at }, func(first int, marks []uint64) {
		for i, e := range by[first:min(first+block, len(by))] {
			if marks[e.at]&(1<<i) != 0 {
				e.Orphaned = false
			}
		}
	})
	return nil
}

// shortestID is how many digits of a commit's id name it at least; git takes no
// fewer either.
const shortestID = 4

// commitsNamedBy finds the commits that "done_at" of events names: positions, and beside
// each the event.
func (f *builder) commitsNamedBy(events []*Event) (commits []int32, by []*Event) {
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

// Nearby is how many commits are compared with "done_at" before the whole graph is: a commit and its first parents.
const Nearby = 8

// near reports whether "done_at" is close above the commit: mostly it is the
// parent.
func (f *builder) near(e *Event) bool {
	at := e.at
	for range Nearby {
		if f.hasPrefix(at, e.DoneAt) {
			return true
		}
		parents := f.Parents(at)
		if len(parents) == 0 || parents[0] < 0 {
			return false
		}
		at = parents[0]
	}
	return false
}

// hasPrefix reports whether digits name a commit.
func (f *builder) hasPrefix(at int32, digits string) bool {
	if len(digits) < shortestID || len(digits) > 2*f.Graph.IDSize {
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

// incomplete finds the commits that have ancestors that are missing.
func (f *builder) incomplete() []bool {
	set := make([]bool, len(f.commits))
	if len(f.Boundary)+len(f.Graph.Missing) == 0 {
		return set
	}
	for at := len(f.commits) - 1; at >= 0; at-- {
		c := &f.commits[at]
		set[at] = f.Boundary[c.ID] || slices.ContainsFunc(f.Parents(int32(at)), func(p int32) bool { return p < 0 || set[p] })
	}
	return set
}
