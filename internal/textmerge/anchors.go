package textmerge

import (
	"slices"
	"sort"
)

// A run is words that two texts share, by the places where they begin.
type run struct{ old, now, n int }

// paragraphs returns the paragraphs that both sides of a stretch have once, as
// far as they stand in one order.
func (c *comparer) paragraphs(e edit) []run {
	old, now := c.paragraphSpans(c.old, e.at, e.end), c.paragraphSpans(c.now, e.from, e.to)
	return inOrder(old, now, func(p span) string { return string(c.old[p.from:p.to]) }, func(p span) string { return string(c.now[p.from:p.to]) })
}

// anchors returns the words that both sides of a stretch have once, as far as
// they stand in one order.
func (c *comparer) anchors(e edit) []run {
	old, now := c.wordSpans(c.old, e.at, e.end), c.wordSpans(c.now, e.from, e.to)
	return inOrder(old, now, func(p span) rune { return c.old[p.from] }, func(p span) rune { return c.now[p.from] })
}

// A span is the words [from, to) of a text.
type span struct{ from, to int }

// paragraphSpans returns the paragraphs of a part of a text, each with the white space
// that ends it.
func (c *comparer) paragraphSpans(letters []rune, from, to int) []span {
	var all []span
	c.steps += to - from
	for at := from; at < to; at++ {
		if at+1 == to || c.kind(letters[at]) == block {
			all = append(all, span{from, at + 1})
			from = at + 1
		}
	}
	return all
}

// wordSpans returns the words of a part of a text that are words to a reader.
func (c *comparer) wordSpans(letters []rune, from, to int) []span {
	var all []span
	c.steps += to - from
	for at := from; at < to; at++ {
		if c.kind(letters[at]) == word {
			all = append(all, span{at, at + 1})
		}
	}
	return all
}

// inOrder returns what two lists both have once, as much of it as possible in
// one order.
func inOrder[K comparable](old, now []span, oldKey, nowKey func(span) K) []run {
	type places struct{ old, now int } // -1 for none, -2 for several
	seen := make(map[K]places, len(old))
	for i, p := range old {
		k := oldKey(p)
		if at, again := seen[k]; again {
			at.old = -2
			seen[k] = at
		} else {
			seen[k] = places{i, -1}
		}
	}
	for j, p := range now {
		k := nowKey(p)
		if at, found := seen[k]; found && at.now == -1 {
			seen[k] = places{at.old, j}
		} else if found {
			seen[k] = places{-2, -2}
		}
	}
	var pairs []run
	for i, p := range old {
		if at := seen[oldKey(p)]; at.old == i && at.now >= 0 {
			pairs = append(pairs, run{p.from, now[at.now].from, p.to - p.from})
		}
	}
	return longest(pairs)
}

// longest returns as many runs as possible that stand in one order in both
// texts. They come in the order of the old one.
func longest(pairs []run) []run {
	var ends []int // of the chain of each length, the pair with the least place
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]].now >= p.now })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var chain []run
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		chain = append(chain, pairs[i])
	}
	slices.Reverse(chain)
	return chain
}
