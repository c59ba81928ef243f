package textmerge

import "strings"

// isConsistent reports whether a merged text holds what it should: each word as often
// as the edits of the sides make it, each sentence that both sides have, and no
// sentence twice that neither has twice. Where something was moved, edits that do
// not touch may say otherwise.
func (a *alphabet) isConsistent(base, one, two, merged text) bool {
	b, x, y, m := count(a.signs(base)), count(a.signs(one)), count(a.signs(two)), count(a.signs(merged))
	for letter, n := range m {
		both := x[letter] + y[letter] - b[letter]
		if n > max(x[letter], y[letter], both) || n < min(x[letter], y[letter], both) {
			return false
		}
	}
	for letter := range b {
		if m[letter] == 0 && min(x[letter], y[letter], x[letter]+y[letter]-b[letter]) > 0 {
			return false
		}
	}
	ones, twos, all := count(a.sentences(one)), count(a.sentences(two)), count(a.sentences(merged))
	for s := range ones {
		if twos[s] > 0 && all[s] == 0 {
			return false
		}
	}
	for s, n := range all {
		if n > 1 && ones[s] < 2 && twos[s] < 2 {
			return false
		}
	}
	return true
}

func count[K comparable](all []K) map[K]int {
	n := make(map[K]int, len(all))
	for _, k := range all {
		n[k]++
	}
	return n
}

// signs returns the letters of a text that do not stand for white space.
func (a *alphabet) signs(t text) []rune {
	var all []rune
	for _, letter := range t.letters {
		if k := a.kind(letter); k == word || k == mark {
			all = append(all, letter)
		}
	}
	return all
}

// sentences returns the sentences of a text, as letters: what ends with a full
// stop and white space, or with a paragraph. One without a letter, such as the
// number of an item, is none.
func (a *alphabet) sentences(t text) []string {
	var all []string
	from, hasText := 0, false
	for at, letter := range t.letters {
		k := a.kind(letter)
		hasText = hasText || k == word && strings.Trim(t.words[at], "0123456789.") != ""
		last := at+1 == len(t.letters)
		next := mark
		if !last {
			next = a.kind(t.letters[at+1])
		}
		ends := strings.ContainsAny(t.words[at], ".!?…。！？") && (k == mark && (next == blank || next == block) || strings.ContainsAny(t.words[at], "。！？"))
		if !last && !ends && next != block {
			continue
		}
		if hasText {
			all = append(all, strings.TrimFunc(string(t.letters[from:at+1]), a.isSpace))
		}
		from, hasText = at+1, false
	}
	return all
}
