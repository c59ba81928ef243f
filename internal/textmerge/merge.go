package textmerge

// Merge brings the edits of two sides together. It is not ok, and merged is
// empty, where two edits overlap, and where what comes of them drops a sentence
// that both sides have or repeats what neither repeats, as it does when one
// moved a sentence that the other one changed. Steps is how many it took, in
// the comparisons of two words.
//
// The sides may be swapped: Merge(base, b, a) is the same. A side that equals
// base, or the other side, always merges. A line break within a paragraph is a
// space: where the lines are broken is taken from the side that changed it.
func Merge(base, a, b string) (merged string, steps int, ok bool) {
	switch {
	case a == b, b == base:
		return a, 0, true
	case a == base:
		return b, 0, true
	}
	words := alphabet{flow: true}
	old := words.spell(base)
	one, steps := words.side(old, a)
	two, more := words.side(old, b)
	if words.isFull() {
		return "", steps, false
	}
	steps += more + len(old.words) + len(one.words) + len(two.words)
	m := merger{base: old, one: one, two: two}
	if !m.weave() {
		return "", steps, false
	}
	merged = m.out.String()
	// Words that meet for the first time may read as one: "3" "." "14".
	again := words.spell(merged)
	if string(again.letters) != string(m.out.letters) || !words.isConsistent(old, one.text, two.text, again) {
		return "", steps, false
	}
	return merged, steps, true
}

// A side is a text and what leads to it from the base.
type side struct {
	text
	hunks []hunk
	kept  []int // where each word of the base stands in the text, or -1
}

// side compares a text with the base.
func (a *alphabet) side(base text, s string) (side, int) {
	t := a.spell(s)
	all, steps := edits(base.letters, t.letters, a.kind)
	kept := make([]int, len(base.letters))
	at, from := 0, 0
	for _, e := range append(all, edit{len(base.letters), len(base.letters), len(t.letters), len(t.letters)}) {
		for ; at < e.at; at, from = at+1, from+1 {
			kept[at] = from
		}
		for ; at < e.end; at++ {
			kept[at] = -1
		}
		from = e.to
	}
	return side{t, a.hunks(base.letters, t.letters, all), kept}, steps
}

// A merger weaves the texts of two sides together.
type merger struct {
	base     text
	one, two side
	out      text
}

// weave applies the hunks of both sides to base. It reports whether those that
// touch are the same.
func (m *merger) weave() bool {
	one, two := m.one.hunks, m.two.hunks
	at := 0
	for len(one) > 0 || len(two) > 0 {
		lo, hi, i, j := cluster(one, two)
		m.keep(at, lo)
		switch {
		case j == 0:
			m.put(m.apply(&m.one, lo, hi, one[:i]))
		case i == 0:
			m.put(m.apply(&m.two, lo, hi, two[:j]))
		default:
			ones, twos := m.apply(&m.one, lo, hi, one[:i]), m.apply(&m.two, lo, hi, two[:j])
			if string(ones.letters) != string(twos.letters) {
				return false
			}
			for k := range ones.words {
				ones.words[k] = min(ones.words[k], twos.words[k])
			}
			m.put(ones)
		}
		at, one, two = hi, one[i:], two[j:]
	}
	m.keep(at, len(m.base.letters))
	return true
}

func (m *merger) put(t text) {
	m.out.letters = append(m.out.letters, t.letters...)
	m.out.words = append(m.out.words, t.words...)
}

// keep puts the base words [lo, hi).
func (m *merger) keep(lo, hi int) {
	m.out.letters = append(m.out.letters, m.base.letters[lo:hi]...)
	for at := lo; at < hi; at++ {
		m.out.words = append(m.out.words, m.spelling(at))
	}
}

// spelling returns a word of the base as the side has it that spells it in
// another way: there is but one word that can be, a space or a line break.
func (m *merger) spelling(at int) string {
	old := m.base.words[at]
	one, two := old, old
	if i := m.one.kept[at]; i >= 0 {
		one = m.one.words[i]
	}
	if i := m.two.kept[at]; i >= 0 {
		two = m.two.words[i]
	}
	switch old {
	case one:
		return two
	case two:
		return one
	}
	return min(one, two)
}

// apply returns what one side's hunks make of the base words [lo, hi).
func (m *merger) apply(s *side, lo, hi int, hunks []hunk) text {
	var t text
	keep := func(to int) {
		for ; lo < to; lo++ {
			t.letters, t.words = append(t.letters, m.base.letters[lo]), append(t.words, m.spelling(lo))
		}
	}
	for _, h := range hunks {
		keep(h.at)
		t.letters, t.words = append(t.letters, s.letters[h.from:h.to]...), append(t.words, s.words[h.from:h.to]...)
		lo = h.end
	}
	keep(hi)
	return t
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
