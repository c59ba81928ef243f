package textmerge

import (
	"math"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// An edit says that the old words [at, end) gave way to the new ones [from, to).
type edit struct{ at, end, from, to int }

// A comparer finds the edits between two texts. The answer depends on which
// words are equal, not on their letters, and never on a clock.
type comparer struct {
	old, now []rune
	kind     func(letter rune) kind
	all      []edit
	steps    int
}

// maxDepth is how often a stretch is divided at anchors. Each time costs as much
// as reading it.
const maxDepth = 8

// edits returns what leads from one text to another: in order, with at least
// one kept word between each two. What can be compared neither within its budget
// nor piece by piece is one edit.
func edits(old, now []rune, kind func(rune) kind) (all []edit, steps int) {
	c := comparer{old: old, now: now, kind: kind}
	c.stretch(edit{0, len(old), 0, len(now)}, 0)
	return c.all, c.steps
}

// stretch compares a part of the texts: word by word if that is within its budget,
// else between paragraphs, then words, that both have once.
func (c *comparer) stretch(e edit, depth int) {
	for e.at < e.end && e.from < e.to && c.old[e.at] == c.now[e.from] {
		e.at, e.from, c.steps = e.at+1, e.from+1, c.steps+1
	}
	for e.at < e.end && e.from < e.to && c.old[e.end-1] == c.now[e.to-1] {
		e.end, e.to, c.steps = e.end-1, e.to-1, c.steps+1
	}
	switch {
	case e.at == e.end && e.from == e.to:
		return
	case e.at == e.end || e.from == e.to:
		c.all = append(c.all, e)
		return
	case c.isNear(e):
		c.words(e)
		return
	}
	var kept []run
	if depth < maxDepth {
		if kept = c.paragraphs(e); len(kept) == 0 {
			kept = c.anchors(e)
		}
	}
	if len(kept) == 0 {
		c.all = append(c.all, e)
		return
	}
	for _, k := range kept {
		c.stretch(edit{e.at, k.old, e.from, k.now}, depth+1)
		e.at, e.from = k.old+k.n, k.now+k.n
	}
	c.stretch(e, depth+1)
}

// budget is how many steps two stretches of so many words may take.
func budget(words int) int { return 1<<16 + 16*words }

// isNear reports whether a stretch can be compared within its budget. It counts
// the steps of the algorithm that does so, as far as the budget goes.
func (c *comparer) isNear(e edit) bool {
	old, now := c.old[e.at:e.end], c.now[e.from:e.to]
	left := budget(len(old) + len(now))
	begin := left
	defer func() { c.steps += begin - left }()
	// The place of the diagonal 0: the budget, or the words, end before the first and the last.
	zero := min(int(math.Sqrt(float64(2*left))), len(old)+len(now)) + 2
	furthest := make([]int, 2*zero+1) // by diagonal, how many old words lie behind
	for d := 0; left > 0; d++ {
		for k := zero - d; k <= zero+d; k += 2 {
			x := furthest[k-1] + 1
			if k == zero-d || k != zero+d && furthest[k-1] < furthest[k+1] {
				x = furthest[k+1]
			}
			y := x - k + zero
			for left--; x < len(old) && y < len(now) && old[x] == now[y]; left-- {
				x, y = x+1, y+1
			}
			if furthest[k] = x; x >= len(old) && y >= len(now) {
				return true
			}
		}
	}
	return false
}

// words compares a stretch word by word.
func (c *comparer) words(e edit) {
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 0 // the answer must not depend on the machine
	open := false          // whether the last edit may still grow
	for _, d := range engine.DiffMainRunes(c.old[e.at:e.end], c.now[e.from:e.to], false) {
		n := utf8.RuneCountInString(d.Text)
		switch {
		case n == 0:
			continue
		case d.Type == diffmatchpatch.DiffEqual:
			e.at, e.from, open = e.at+n, e.from+n, false
			continue
		case !open:
			c.all, open = append(c.all, edit{e.at, e.at, e.from, e.from}), true
		}
		last := &c.all[len(c.all)-1]
		if d.Type == diffmatchpatch.DiffDelete {
			e.at += n
		} else {
			e.from += n
		}
		last.end, last.to = e.at, e.from
	}
}
