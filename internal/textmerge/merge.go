package textmerge

import "slices"

// Merge brings the edits of two sides together. It is not ok, and merged is
// empty, if two edits overlap or a side differs from base over more than
// 1,500 words.
//
// The sides may be swapped: Merge(base, b, a) is the same. A side that equals
// base, or the other side, always merges.
func Merge(base, a, b string) (merged string, ok bool) {
	switch {
	case a == b, b == base:
		return a, true
	case a == base:
		return b, true
	}
	var words alphabet
	old := words.spell(base)
	one, ok := words.side(old, a)
	if !ok {
		return "", false
	}
	two, ok := words.side(old, b)
	if !ok {
		return "", false
	}
	letters, ok := weave(old, one, two)
	if !ok {
		return "", false
	}
	merged = words.text(letters)
	// Words that meet for the first time may read as one: "3" "." "14".
	if !slices.Equal(words.spell(merged), letters) {
		return "", false
	}
	return merged, true
}

// side returns the hunks that lead from base to one side's text.
func (a *alphabet) side(base []rune, text string) ([]hunk, bool) {
	all, ok := edits(base, a.spell(text))
	return a.hunks(base, all), ok
}

// weave applies the hunks of both sides to base. It is not ok if hunks that
// touch differ. It treats the sides alike, so that they may be swapped.
func weave(base []rune, one, two []hunk) (merged []rune, ok bool) {
	at := 0
	for len(one) > 0 || len(two) > 0 {
		lo, hi, i, j := cluster(one, two)
		merged = append(merged, base[at:lo]...)
		first, second := apply(base, lo, hi, one[:i]), apply(base, lo, hi, two[:j])
		switch {
		case j == 0:
			merged = append(merged, first...)
		case i == 0 || slices.Equal(first, second):
			merged = append(merged, second...)
		default:
			return nil, false
		}
		at, one, two = hi, one[i:], two[j:]
	}
	return append(merged, base[at:]...), true
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
