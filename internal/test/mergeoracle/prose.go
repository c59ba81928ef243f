package mergeoracle

import (
	"slices"
	"strings"
)

// proseOutcomes says what may become of a text that both sides changed: where the edits are apart for whoever compares the words, the text
// with both; where they meet, a conflict of the two; else one of these.
func proseOutcomes(b, x, y value) []outcome {
	conflict := disagree(x, y)[0]
	base, xs, ys := strings.Fields(b.text()), strings.Fields(x.text()), strings.Fields(y.text())
	if !b.isText() && b != "" || !x.isText() || !y.isText() {
		return []outcome{conflict}
	}
	if slices.Equal(xs, ys) || slices.Equal(base, xs) || slices.Equal(base, ys) {
		return []outcome{{value: x}, {value: y}, conflict, {words: xs}, {words: ys}}
	}
	if b == "" {
		return []outcome{conflict}
	}
	all := []outcome{conflict}
	left, right := alignments(base, xs), alignments(base, ys)
	for _, l := range left {
		for _, r := range right {
			if words, ok := combined(base, l, r); ok && !slices.ContainsFunc(all, func(o outcome) bool { return slices.Equal(o.words, words) }) {
				all = append(all, outcome{words: words})
			}
		}
	}
	return all
}

// An edit replaces the words from one place to another one.
type edit struct {
	from, to int
	words    []string
}

// maxAlignments bounds how many ways to see an edit are tried.
const maxAlignments = 64

// alignments returns the ways in which the fewest edits make one text of another.
func alignments(a, b []string) (all [][]edit) {
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = max(common[i][j], 1+common[i+1][j+1])
			}
		}
	}
	var walk func(i, j int, pairs [][2]int)
	walk = func(i, j int, pairs [][2]int) {
		if len(all) >= maxAlignments {
			return
		}
		if common[i][j] == 0 {
			all = append(all, editsBetween(a, b, pairs))
			return
		}
		for p := i; p < len(a); p++ {
			for q := j; q < len(b); q++ {
				if a[p] == b[q] && 1+common[p+1][q+1] == common[i][j] {
					walk(p+1, q+1, append(slices.Clone(pairs), [2]int{p, q}))
				}
			}
		}
	}
	walk(0, 0, nil)
	return all
}

func editsBetween(a, b []string, pairs [][2]int) (all []edit) {
	i, j := 0, 0
	for _, p := range append(pairs, [2]int{len(a), len(b)}) {
		if p[0] > i || p[1] > j {
			all = append(all, edit{i, p[0], b[j:p[1]]})
		}
		i, j = p[0]+1, p[1]+1
	}
	return all
}

// combined makes both edits of a text, what both did once; ok is false where they touch.
func combined(base []string, x, y []edit) (words []string, ok bool) {
	all := slices.Concat(x, y)
	slices.SortFunc(all, func(a, b edit) int { return (a.from-b.from)*1000 + a.to - b.to })
	all = slices.CompactFunc(all, func(a, b edit) bool { return a.from == b.from && a.to == b.to && slices.Equal(a.words, b.words) })
	at := 0
	for i, e := range all {
		if i > 0 && e.from <= all[i-1].to {
			return nil, false
		}
		words = append(append(words, base[at:e.from]...), e.words...)
		at = e.to
	}
	return append(words, base[at:]...), true
}
