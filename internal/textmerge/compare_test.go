package textmerge_test

import (
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/textmerge"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A text is divided into words that hold whole characters, in any script.
func TestWords(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"can't stop: 3.14!", "can't| |stop|:| |3.14|!"},
		{"a  b\r\nc", "a|  |b|\r\n|c"},
		{"- [ ] do", "-| |[| |]| |do"},
		{"修复ok", "修|复|ok"},
		{"テスト", "テスト"},
		{"e\u0301a", "e\u0301a"},
		{"漢\u0301字", "漢\u0301|字"},
		{"น้ำดี", "น้ำ|ดี"},
		{"👩‍👩‍👧👍🏽", "👩‍👩‍👧|👍🏽"},
		{"🇩🇪🇫🇷", "🇩🇪|🇫🇷"},
		{"\u0600漢", "\u0600漢"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			want := strings.FieldsFunc(tt.want, func(r rune) bool { return r == '|' })
			if got := textmerge.Words(tt.text); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// What differs is returned in pieces.
func TestCompare(t *testing.T) {
	tests := []struct {
		name, before, after string
		want                []textmerge.Piece
	}{
		{"nothing", "", "", nil},
		{"same", "a b", "a b", []textmerge.Piece{{"a b", "a b"}}},
		{"from nothing", "", "a b", []textmerge.Piece{{"", "a b"}}},
		{"to nothing", "a b", "", []textmerge.Piece{{"a b", ""}}},
		{"a word", "one two three", "one 2 three", []textmerge.Piece{{"one ", "one "}, {"two", "2"}, {" three", " three"}}},
		{"words", "a b c", "x b y", []textmerge.Piece{{"a", "x"}, {" b ", " b "}, {"c", "y"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, textmerge.Compare(tt.before, tt.after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The pieces join to both texts byte for byte; kept and changed take turns; none
// is empty, and none divides a character.
func TestCompareJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, before, after := texts(t)
		checkPieces(t, before, after)
	})
}

func checkPieces(t rapid.TB, before, after string) {
	t.Helper()
	var old, now strings.Builder
	var oldParts, nowParts []string
	pieces := textmerge.Compare(before, after)
	for i, p := range pieces {
		if p == (textmerge.Piece{}) || i > 0 && p.Kept() == pieces[i-1].Kept() {
			t.Fatalf("piece %d: %q", i, pieces)
		}
		old.WriteString(p.Old)
		now.WriteString(p.New)
		oldParts = append(oldParts, characters(p.Old)...)
		nowParts = append(nowParts, characters(p.New)...)
	}
	if old.String() != before || now.String() != after {
		t.Fatalf("%q, %q: %q", before, after, pieces)
	}
	if !valid(before, after) {
		return // what its bytes mean depends on where it is cut
	}
	if !slices.Equal(oldParts, characters(before)) || !slices.Equal(nowParts, characters(after)) {
		t.Fatalf("a character is divided: %q", pieces)
	}
}

// Fuzzed texts join, whatever their bytes.
func FuzzCompare(f *testing.F) {
	f.Add("", "a")
	f.Add("the old text", "the new text")
	f.Add("น้ำ \xff", "น้ำ \xe2\x82")
	f.Fuzz(func(t *testing.T, before, after string) {
		checkPieces(t, before, after)
	})
}
