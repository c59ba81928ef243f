package merge_test

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// A history is commits that clones of one repository made, each a plan.
type history struct {
	commits []*commit
	merged  map[[2]*commit]*commit // virtual bases, which git makes and forgets
	named   map[[2]string]bool     // what gave way in any merge: a record's id and a field
	merges  int
}

// A commit is a plan in a history.
type commit struct {
	n       int
	data    []byte
	parents []*commit
	seen    set // it and its ancestors
}

// A set is numbers of commits.
type set []uint64

func (s set) has(n int) bool { return n/64 < len(s) && s[n/64]>>(n%64)&1 == 1 }

func (s set) with(other set) set {
	if len(s) < len(other) {
		s, other = other, s
	}
	all := slices.Clone(s)
	for i, word := range other {
		all[i] |= word
	}
	return all
}

// add adds a commit.
func (h *history) add(data []byte, parents ...*commit) *commit {
	c := &commit{n: len(h.commits), data: data, parents: parents}
	c.seen = make(set, c.n/64+1)
	c.seen[c.n/64] = 1 << (c.n % 64)
	for _, p := range parents {
		c.seen = c.seen.with(p.seen)
	}
	h.commits = append(h.commits, c)
	return c
}

// report describes what a commit has otherwise than its first parent.
func (c *commit) report(b *strings.Builder, what string) {
	fmt.Fprintf(b, "%s %d", what, c.n)
	var before string
	for i, p := range c.parents {
		fmt.Fprint(b, " ", p.n)
		if i == 0 {
			before = string(p.data)
		}
	}
	b.WriteByte('\n')
	for line := range strings.Lines(string(c.data)) {
		if !strings.Contains(before, line) {
			b.WriteString("  + " + line)
		}
	}
	for line := range strings.Lines(before) {
		if !strings.Contains(string(c.data), line) {
			b.WriteString("  - " + line)
		}
	}
}

// bases returns the best ancestors that two commits share, oldest first, as git
// merges them.
func (h *history) bases(a, b *commit) []*commit {
	left := slices.Clone(a.seen[:min(len(a.seen), len(b.seen))])
	for i := range left {
		left[i] &= b.seen[i]
	}
	var best []*commit
	for i := len(left) - 1; i >= 0; {
		if left[i] == 0 {
			i--
			continue
		}
		c := h.commits[i*64+bits.Len64(left[i])-1]
		best = append(best, c)
		for j := range left[:min(len(left), len(c.seen))] {
			left[j] &^= c.seen[j]
		}
	}
	slices.Reverse(best)
	return best
}

// base returns what git takes for the base of two commits: of several, a
// virtual one that merges them.
func (h *history) base(t fataler, a, b *commit) *commit {
	bases := h.bases(a, b)
	virtual := bases[0]
	for _, next := range bases[1:] {
		pair := [2]*commit{virtual, next}
		if h.merged[pair] == nil {
			h.merged[pair] = h.add(h.merge(t, h.base(t, virtual, next).data, virtual.data, next.data), virtual, next)
		}
		virtual = h.merged[pair]
	}
	return virtual
}

// pull merges what another clone has, fast-forward where that is possible.
func (h *history) pull(t fataler, a, b *commit) *commit {
	switch {
	case a.seen.has(b.n):
		return a
	case b.seen.has(a.n):
		return b
	}
	return h.add(h.merge(t, h.base(t, a, b).data, a.data, b.data), a, b)
}

func (h *history) merge(t fataler, base, x, y []byte) []byte {
	h.merges++
	got, err := merge.Merge(base, x, y)
	if err != nil {
		t.Fatalf("%v\nbase\n%s\nx\n%s\ny\n%s", err, base, x, y)
	}
	if _, problems := plan.Decode(string(got.Data)); len(problems) > 0 {
		t.Fatalf("not valid: %v\nbase\n%s\nx\n%s\ny\n%s\nresult\n%s", problems, base, x, y, got.Data)
	}
	if !showsCandidates(got.Data) && showsCandidates(base) && showsCandidates(x) && showsCandidates(y) {
		t.Fatalf("a value is none of its candidates\nbase\n%s\nx\n%s\ny\n%s\nresult\n%s", base, x, y, got.Data)
	}
	if waits(got.Data) && !waits(base) && !waits(x) && !waits(y) {
		t.Fatalf("tasks wait for each other\nbase\n%s\nx\n%s\ny\n%s\nresult\n%s", base, x, y, got.Data)
	}
	for _, l := range got.Discarded {
		h.named[[2]string{l.ID, l.Field}] = true
	}
	return got.Data
}

// pick makes a commit of a change on top of another one, as git cherry-pick
// does; with the change's ends swapped, git revert.
func (h *history) pick(t fataler, tip *commit, from, to []byte) *commit {
	data := h.merge(t, from, tip.data, to)
	if string(data) == string(tip.data) {
		return tip
	}
	return h.add(data, tip)
}

// rebase makes the commits of a that b has not again, on top of b.
func (h *history) rebase(t fataler, a, b *commit) *commit {
	if a.seen.has(b.n) || b.seen.has(a.n) {
		return h.pull(t, a, b)
	}
	tip := b
	for n := range h.commits {
		c := h.commits[n]
		if a.seen.has(n) && !b.seen.has(n) && len(c.parents) == 1 {
			tip = h.pick(t, tip, c.parents[0].data, c.data)
		}
	}
	return tip
}

// A fataler is what a property and a test have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

var _ fataler = (*testing.T)(nil)
