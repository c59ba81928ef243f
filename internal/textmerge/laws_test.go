package textmerge_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"git-ralph/internal/textmerge"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"pgregory.net/rapid"
)

// checkLaws holds every promise of Merge to one merge.
func checkLaws(t rapid.TB, base, a, b string) {
	t.Helper()
	merged, _, ok := textmerge.Merge(base, a, b)
	if again, _, same := textmerge.Merge(base, b, a); again != merged || same != ok {
		t.Fatalf("sides swapped: %q, %v and %q, %v", merged, ok, again, same)
	}
	if again, _, same := textmerge.Merge(base, a, b); again != merged || same != ok {
		t.Fatalf("not the same twice: %q and %q", merged, again)
	}
	checkSides(t, base, a)
	checkSides(t, base, b)
	if !ok {
		if merged != "" {
			t.Fatalf("an overlap with a text: %q", merged)
		}
		return
	}
	checkParts(t, "word", textmerge.Words(base), textmerge.Words(a), textmerge.Words(b), textmerge.Words(merged))
	if base != a && base != b {
		checkPhrases(t, a, b, merged)
	}
	if valid(base, a, b) {
		checkParts(t, "character", characters(base), characters(a), characters(b), characters(merged))
	}
}

// checkSides: where a side equals base, or both are the same, the answer is the
// text of a side byte for byte, whatever its length.
func checkSides(t rapid.TB, base, side string) {
	t.Helper()
	for _, sides := range [][2]string{{base, side}, {side, base}, {side, side}} {
		if got, _, ok := textmerge.Merge(base, sides[0], sides[1]); got != side || !ok {
			t.Fatalf("%q, %q, %q: got %q, %v", base, sides[0], sides[1], got, ok)
		}
	}
}

// checkParts: what a side brought is there as often as that side has it, and
// nothing is there that no side has. White space does not count: how lines are
// broken is no difference.
func checkParts(t rapid.TB, what string, base, a, b, merged []string) {
	t.Helper()
	inBase, inA, inB, inMerged := count(base), count(a), count(b), count(merged)
	for part := range inMerged {
		if strings.TrimSpace(part) != "" && inA[part]+inB[part] == 0 {
			t.Fatalf("the %s %q is invented", what, part)
		}
	}
	for _, side := range []map[string]int{inA, inB} {
		for part, n := range side {
			if strings.TrimSpace(part) != "" && inBase[part] == 0 && inMerged[part] < n {
				t.Fatalf("the %s %q is there %d times, a side has it %d times", what, part, inMerged[part], n)
			}
		}
	}
}

// checkPhrases: words that stand side by side do so in a side as well.
func checkPhrases(t rapid.TB, a, b, merged string) {
	t.Helper()
	known := map[[2]string]bool{}
	for _, side := range []string{a, b} {
		for _, phrase := range phrases(side) {
			known[phrase] = true
		}
	}
	for _, phrase := range phrases(merged) {
		if !known[phrase] {
			t.Fatalf("the phrase %q is invented", phrase)
		}
	}
}

// phrases are the neighbours in a text, white space left out, and both ends.
func phrases(text string) [][2]string {
	var pairs [][2]string
	last := ""
	for _, word := range append(textmerge.Words(text), "") {
		if word != "" && strings.TrimSpace(word) == "" {
			continue
		}
		pairs = append(pairs, [2]string{last, word})
		last = word
	}
	return pairs
}

func valid(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return !utf8.ValidString(text) })
}

// characters are those that people see, in valid UTF-8.
func characters(text string) []string {
	var all []string
	for it := graphemes.FromString(text); it.Next(); {
		all = append(all, it.Value())
	}
	return all
}

func count(parts []string) map[string]int {
	n := map[string]int{}
	for _, part := range parts {
		n[part]++
	}
	return n
}

// script draws what is hard to divide: few different words, so that they
// repeat, and characters of several runes.
func script() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom(strings.Split("a b c the very good . , - [ ] 100 3.14 can't", " ")),
		rapid.SampledFrom([]string{" ", " ", "  ", "\n", "\n- ", "\r\n", "\t", "\u00a0"}),
		rapid.SampledFrom([]string{"漢", "字", "カナ", "한글", "น้ำ", "ดี", "שלום", "\u0600"}),
		rapid.SampledFrom([]string{"👩‍👩‍👧", "👍🏽", "👍", "🇩🇪", "🇩", "🇫🇷", "\u200d", "\u0301", "e\u0301", "𠀁", "\x00", "\ufffd"}),
		rapid.String(),
	)
}

// texts draws a base and two sides that each, or both alike, changed parts of it.
func texts(t *rapid.T) (base, a, b string) {
	who := rapid.SampledFrom(strings.Split("none none none none a b both", " "))
	for _, part := range rapid.SliceOfN(script(), 0, 24).Draw(t, "base") {
		inA, inB := part, part
		side := who.Draw(t, "who")
		if side != "none" {
			part := strings.Join(rapid.SliceOfN(script(), 0, 3).Draw(t, "new"), "")
			if side != "b" {
				inA = part
			}
			if side != "a" {
				inB = part
			}
		}
		base, a, b = base+part, a+inA, b+inB
	}
	return base, a, b
}

// Every law, for sides that come of base by a few edits.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, a, b := texts(t)
		checkLaws(t, base, a, b)
	})
}

// Edits that words stand between merge, to base with all of them applied:
// counted on a base whose words differ, where no doubt is which is which.
func TestEditsApartMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var base, a, b, want strings.Builder
		put := func(text string, to ...*strings.Builder) {
			for _, w := range to {
				w.WriteString(text)
			}
		}
		sides := [2]*strings.Builder{&a, &b}
		for i := range rapid.IntRange(0, 30).Draw(t, "edits") {
			put(rapid.StringMatching(`( [a-z]{3}){1,3}`).Draw(t, "kept")+unique(i, 'k'), &base, &a, &b, &want)
			side := rapid.IntRange(0, 1).Draw(t, "side")
			put(rapid.SampledFrom([]string{"", unique(i, 'o')}).Draw(t, "old"), &base, sides[1-side])
			put(rapid.SampledFrom([]string{"", unique(i, 'n')}).Draw(t, "new"), sides[side], &want)
			put(unique(i, 'z'), &base, &a, &b, &want)
		}
		got, _, ok := textmerge.Merge(base.String(), a.String(), b.String())
		if got != want.String() || !ok {
			t.Fatalf("%q, %q, %q: got %q, %v, want %q", &base, &a, &b, got, ok, &want)
		}
	})
}

// unique is a word that stands nowhere else, with a space before it.
func unique(i int, sort rune) string { return " " + string(sort) + strings.Repeat("x", i+1) }

// Fuzzed texts keep every law, whatever their bytes.
func FuzzMerge(f *testing.F) {
	f.Add("", "", "")
	f.Add("the old text", "the new text", "the old text stays")
	f.Add("- a\n- b\n- c\n", "- a\n- x\n- b\n- c\n", "- a\n- b\n- c\n- y\n")
	f.Add("修复解析器", "修改解析器", "修复解析器的错误")
	f.Add("น้ำ 👩‍👩‍👧 🇩🇪", "น้ำ 👩‍👩‍👦 🇩🇪", "น้ำ 👩‍👩‍👧 🇩🇪🇫🇷")
	f.Add("a\xff\xfe b", "a\xff b", "a\xff\xfe c\xe2\x82")
	f.Fuzz(func(t *testing.T, base, a, b string) {
		checkLaws(t, base, a, b)
	})
}
