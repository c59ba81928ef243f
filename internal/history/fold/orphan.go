package fold

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// orphans finds the done tasks whose "done_at" names a commit that is no
// ancestor of the one that made them so. Where part of the history is not at
// hand nobody can tell.
func (f *folder) orphans() {
	incomplete := f.incomplete()
	index := f.index()
	var doubtful []*Event
	var sources []int32
	var owners []int
	for _, e := range f.result.Events {
		if e.Name != plan.EventDone || e.DoneAt == "" || f.near(e) {
			continue
		}
		e.Lost = !incomplete[e.at]
		for _, at := range index.find(e.DoneAt) {
			sources = append(sources, at)
			owners = append(owners, len(doubtful))
		}
		doubtful = append(doubtful, e)
	}
	ascend(f.commits, sources, func(first int, marks []uint64) {
		for i, owner := range owners[first:min(first+block, len(owners))] {
			if e := doubtful[owner]; marks[e.at]&(1<<i) != 0 {
				e.Lost = false
			}
		}
	})
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

func (f *folder) hasPrefix(at int32, prefix string) bool {
	id := f.commits[at].ID
	return strings.HasPrefix(hex.EncodeToString(id[:f.Graph.Size]), prefix)
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

// An idIndex finds commits by the beginning of their ids.
type idIndex struct {
	commits []git.Walked
	sorted  []int32
}

func (f *folder) index() idIndex {
	x := idIndex{f.commits, make([]int32, len(f.commits))}
	for i := range x.sorted {
		x.sorted[i] = int32(i)
	}
	slices.SortFunc(x.sorted, func(a, b int32) int { return bytes.Compare(f.commits[a].ID[:], f.commits[b].ID[:]) })
	return x
}

// find returns the commits whose id begins with prefix, in hex.
func (x idIndex) find(prefix string) []int32 {
	low, err := hex.DecodeString(prefix[:len(prefix)/2*2])
	if err != nil || len(low) > len(git.Hash{}) || strings.Trim(prefix, "0123456789abcdef") != "" {
		return nil
	}
	from, _ := slices.BinarySearchFunc(x.sorted, low, func(at int32, low []byte) int {
		return bytes.Compare(x.commits[at].ID[:], low)
	})
	var found []int32
	for _, at := range x.sorted[from:] {
		id := x.commits[at].ID
		if !bytes.HasPrefix(id[:], low) {
			break
		}
		if strings.HasPrefix(hex.EncodeToString(id[:]), prefix) {
			found = append(found, at)
		}
	}
	return found
}

// warn says what could not be told.
func (f *folder) warn() {
	unread, missing, silent := 0, map[git.Hash]bool{}, 0
	for at := range f.commits {
		c := &f.commits[at]
		v := f.Versions[c.Plan]
		switch {
		case c.Blind || !c.Plan.IsZero() && v == nil:
			missing[c.Plan] = true
		case v != nil && !v.Readable() && f.changedByID(at):
			unread++
		}
		if f.told[int32(at)] != nil {
			if _, known := f.spoken[int32(at)]; !known {
				silent++
			}
		}
	}
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
