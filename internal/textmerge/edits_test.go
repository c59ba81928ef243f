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
		want, _ := edits(old, now)
		for i := range want {
			want[i].text = respell(want[i].text)
		}
		got, _ := edits(respell(old), respell(now))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(edit{}), cmp.Comparer(sameText)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func sameText(a, b []rune) bool { return string(a) == string(b) }

// Applied to the old text the edits give the new one; between each two a word
// is kept.
func TestEditsApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.Int32Range(0, 4), 0, 40)
		old, now := letters.Draw(t, "old"), letters.Draw(t, "new")
		all, _ := edits(old, now)
		hunks := make([]hunk, len(all))
		for i, e := range all {
			hunks[i].edit = e
		}
		if got := apply(old, 0, len(old), hunks); !sameText(got, now) {
			t.Fatalf("%v, %v: %v gives %v", old, now, all, got)
		}
		for i, e := range all {
			if e.at == e.end && len(e.text) == 0 || i > 0 && all[i-1].end >= e.at {
				t.Fatalf("%v, %v: %v", old, now, all)
			}
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
		lo, hi int
	}{
		{"a replacement", "abab", 0, edit{1, 2, []rune("c")}, 1, 2},
		{"an insertion alone", "abab", 0, edit{2, 2, []rune("c")}, 2, 2},
		{"an insertion of the same", "abbbc", 0, edit{2, 2, []rune("b")}, 1, 4},
		{"an insertion in turns", "xababy", 0, edit{3, 3, []rune("ab")}, 1, 5},
		{"a deletion of the same", "abbbc", 0, edit{2, 3, nil}, 1, 4},
		{"a deletion in turns", "xababay", 0, edit{1, 3, nil}, 1, 6},
		{"up to the edit before", "aaaa", 2, edit{3, 3, []rune("a")}, 2, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if lo, hi := slide([]rune(tt.base), tt.from, tt.e); lo != tt.lo || hi != tt.hi {
				t.Errorf("got %d to %d, want %d to %d", lo, hi, tt.lo, tt.hi)
			}
		})
	}
}
