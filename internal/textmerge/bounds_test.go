package textmerge_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"git-ralph/internal/textmerge"

	"pgregory.net/rapid"
)

// numbered is n words of one character each, all different: those numbered from
// from on.
func numbered(from, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteRune(rune(0x4e00 + from + i))
	}
	return b.String()
}

// A text of any length merges where each side changed a part of bounded length.
func TestLongTexts(t *testing.T) {
	for name, long := range map[string]string{
		"one line":  strings.Repeat("and so on ", 20_000),
		"many":      strings.Repeat("- an item\n", 20_000),
		"different": numbered(0, 5000),
	} {
		base := "one two " + long + " three four"
		a, b := "1 two "+long+" three four", "one two "+long+" three 4"
		checkLaws(t, base, a, b)
		if got, _, ok := textmerge.Merge(base, a, b); got != "1 two "+long+" three 4" || !ok {
			t.Errorf("%s: %v", name, ok)
		}
	}
}

// More different words than there are runes below the surrogates, which no
// string can hold, are distinguished.
func TestManyDifferentWords(t *testing.T) {
	words := make([]string, 60_000)
	for i := range words {
		words[i] = "w" + strconv.Itoa(i)
	}
	text := func(changed ...int) string {
		words := slices.Clone(words)
		for _, i := range changed {
			words[i] = words[i+5] // one of the many for another
		}
		return strings.Join(words, " ")
	}
	for _, at := range []int{0, 0xd7f8, 0xd800, 0xdbff, 0xdff8, 0xe010} {
		if got, _, ok := textmerge.Merge(text(), text(at), text(at+10)); got != text(at, at+10) || !ok {
			t.Errorf("at word %#x: %v", at, ok)
		}
	}
}

// Any texts of up to 5,000 words come to an end, and keep the laws.
func TestAnyLengthEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		different := rapid.SampledFrom([]int{1, 2, 30, 500, 9000}).Draw(t, "different")
		text := func(name string) string {
			seed := rapid.Uint32().Draw(t, name)
			var b strings.Builder
			for range rapid.SampledFrom([]int{100, 1500, 5000}).Draw(t, "words") {
				seed = seed*1664525 + 1013904223
				b.WriteRune(rune(0x4e00 + int(seed>>8)%different))
			}
			return b.String()
		}
		checkLaws(t, text("base"), text("a"), text("b"))
	})
}

// BenchmarkWorst measures the costliest merge: texts of the greatest length that
// is compared, and little alike.
func BenchmarkWorst(b *testing.B) {
	texts := make([]string, 3)
	seed := uint32(1)
	for i := range texts {
		var text strings.Builder
		for range 1500 {
			seed = seed*1664525 + 1013904223
			text.WriteRune(rune(0x4e00 + int(seed>>8)%500))
		}
		texts[i] = text.String()
	}
	for b.Loop() {
		textmerge.Merge(texts[0], texts[1], texts[2])
	}
}

// BenchmarkNote measures the usual merge: a note of some lines, a word changed a side.
func BenchmarkNote(b *testing.B) {
	base := strings.Repeat("- Every item says what it does and how to see that it does.\n", 12)
	one, two := "- First of all.\n"+base, base+"- That is all.\n"
	for b.Loop() {
		textmerge.Merge(base, one, two)
	}
}
