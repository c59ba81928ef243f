package textmerge

import "slices"

// Merge brings the edits of two sides together. It is not ok, and merged is
// empty, if two edits overlap or a side differs from base over more than
// 1,500 words.
//
// The sides may be swapped: Merge(base, b, a) is the same. A side that equals
// base, or the other side, always merges.
func Merge(base, a, b string) (merged string, ok bool) {
	withA, withB, ok := Choices(base, a, b)
	if withA != withB {
		return "", false
	}
	return withA, ok
}

// Choices brings the edits of two sides together, and returns the two texts
// that come of it where edits overlap: one with a's edits there, one with b's.
// Where none overlap they are the same. It is not ok, and both are empty, if a
// side differs from base over more than 1,500 words.
func Choices(base, a, b string) (withA, withB string, ok bool) {
	switch {
	case a == b, b == base:
		return a, a, true
	case a == base:
		return b, b, true
	}
	var words alphabet
	old := words.spell(base)
	one, okA := words.side(old, a)
	two, okB := words.side(old, b)
	if !okA || !okB {
		return "", "", false
	}
	first, second := weave(old, one, two)
	withA, withB = words.text(first), words.text(second)
	// Words that meet for the first time may read as one: "3" "." "14".
	if !slices.Equal(words.spell(withA), first) || !slices.Equal(words.spell(withB), second) {
		return "", "", false
	}
	return withA, withB, true
}

// side returns the hunks that lead from base to one side's text.
func (a *alphabet) side(base []rune, text string) ([]hunk, bool) {
	all, ok := edits(base, a.spell(text))
	return a.hunks(base, all), ok
}

// weave applies the hunks of both sides to base. Where hunks that touch differ,
// the first text has one's and the second has two's.
func weave(base []rune, one, two []hunk) (first, second []rune) {
	at := 0
	for len(one) > 0 || len(two) > 0 {
		lo, hi, i, j := cluster(one, two)
		first, second = append(first, base[at:lo]...), append(second, base[at:lo]...)
		ones, twos := apply(base, lo, hi, one[:i]), apply(base, lo, hi, two[:j])
		switch {
		case j == 0:
			twos = ones
		case i == 0:
			ones = twos
		}
		first, second = append(first, ones...), append(second, twos...)
		at, one, two = hi, one[i:], two[j:]
	}
	return append(first, base[at:]...), append(second, base[at:]...)
}

// cluster returns the leading hunks whose reaches touch, one after another: the
// base words [lo, hi) that they reach over, and how many hunks of each side.
func cluster(one, two []hunk) (lo, hi, i, j int) {
	if len(two) == 0 || len(one) > 0 && one[0].lo < two[0].lo {
		lo = one[0].lo
	} else {
		lo = two[0].lo
	}
	hi = lo
	for {
		switch {
		case i < len(one) && one[i].lo <= hi:
			hi = max(hi, one[i].hi)
			i++
		case j < len(two) && two[j].lo <= hi:
			hi = max(hi, two[j].hi)
			j++
		default:
			return lo, hi, i, j
		}
	}
}

// apply returns what one side's hunks make of the base words [lo, hi).
func apply(base []rune, lo, hi int, hunks []hunk) []rune {
	var text []rune
	for _, h := range hunks {
		text = append(text, base[lo:h.at]...)
		text = append(text, h.text...)
		lo = h.end
	}
	return append(text, base[lo:hi]...)
}
