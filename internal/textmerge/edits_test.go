package textmerge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What differs depends on which words are equal, not on the letters that stand
// for them: swapped sides spell alike in other letters, and must merge alike.
func TestEditsDoNotDependOnLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		different := rapid.IntRange(1, 12).Draw(t, "different")
		letters := rapid.SliceOfN(rapid.Int32Range(0, int32(different)-1), 0, 40)
		old, now := letters.Draw(t, "old"), letters.Draw(t, "new")
		other := rapid.Permutation([]rune{0, 1, 0x7f, 0x80, 0xff, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000}).Draw(t, "other letters")
		respell := func(text []rune) []rune {
			var to []rune
			for _, letter := range text {
				to = append(to, other[letter])
			}
			return to
		}
		want, steps := edits(old, now, allWords)
		got, again := edits(respell(old), respell(now), allWords)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(edit{})); diff != "" || steps != again {
			t.Fatal(diff, steps, again)
		}
	})
}

// allWords takes every letter for a word.
func allWords(rune) kind { return word }

// apply returns what edits make of a text.
func apply(old, now []rune, all []edit) string {
	var text []rune
	at := 0
	for _, e := range all {
		text = append(append(text, old[at:e.at]...), now[e.from:e.to]...)
		at = e.end
	}
	return string(append(text, old[at:]...))
}

// Applied to the old text the edits give the new one; between each two a word
// is kept.
func TestEditsApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.Int32Range(0, 4), 0, 40)
		old, now := letters.Draw(t, "old"), letters.Draw(t, "new")
		checkEdits(t, old, now)
	})
}

func checkEdits(t rapid.TB, old, now []rune) []edit {
	all, _ := edits(old, now, allWords)
	if got := apply(old, now, all); got != string(now) {
		t.Fatalf("%v, %v: %v gives %v", old, now, all, []rune(got))
	}
	for i, e := range all {
		if e.at == e.end && e.from == e.to || i > 0 && all[i-1].end >= e.at {
			t.Fatalf("%v, %v: %v", old, now, all)
		}
	}
	return all
}

// Where a text is too long to be compared word by word, the edits apply too, and
// a word that both texts have once, in one order, parts them.
func TestAnchors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint32().Draw(t, "seed")
		var old, now []rune
		kept := 0
		for i := range rune(rapid.IntRange(2, 40).Draw(t, "parts")) {
			for _, text := range []*[]rune{&old, &now} {
				for range 200 {
					seed = seed*1664525 + 1013904223
					*text = append(*text, 1000+rune(seed>>8)%7)
				}
				*text = append(*text, i)
			}
			kept++
		}
		all := checkEdits(t, old, now)
		if len(all) < kept-1 {
			t.Fatalf("%d parts, %d edits", kept, len(all))
		}
	})
}

// An edit reaches over every place where it could equally stand.
func TestSlide(t *testing.T) {
	tests := []struct {
		name   string
		base   string
		from   int
		e      edit
		new    string
		lo, hi int
	}{
		{"a replacement", "abab", 0, edit{at: 1, end: 2}, "c", 1, 2},
		{"an insertion alone", "abab", 0, edit{at: 2, end: 2}, "c", 2, 2},
		{"an insertion of the same", "abbbc", 0, edit{at: 2, end: 2}, "b", 1, 4},
		{"an insertion in turns", "xababy", 0, edit{at: 3, end: 3}, "ab", 1, 5},
		{"a deletion of the same", "abbbc", 0, edit{at: 2, end: 3}, "", 1, 4},
		{"a deletion in turns", "xababay", 0, edit{at: 1, end: 3}, "", 1, 6},
		{"up to the edit before", "aaaa", 2, edit{at: 3, end: 3}, "a", 2, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if lo, hi := slide([]rune(tt.base), tt.from, tt.e, []rune(tt.new)); lo != tt.lo || hi != tt.hi {
				t.Errorf("got %d to %d, want %d to %d", lo, hi, tt.lo, tt.hi)
			}
		})
	}
}
