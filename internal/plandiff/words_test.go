package plandiff_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"git-ralph/internal/plandiff"

	"pgregory.net/rapid"
)

// marked writes spans as `git ralph diff` shows them without colour.
func marked(spans []plandiff.Span) string {
	var b strings.Builder
	for _, s := range spans {
		switch s.Op {
		case plandiff.Delete:
			b.WriteString("[-" + s.Text + "-]")
		case plandiff.Insert:
			b.WriteString("{+" + s.Text + "+}")
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// Prose is compared by words: no word, and no character that people see, is
// ever split, in any script.
func TestWords(t *testing.T) {
	tests := []struct{ name, before, after, want string }{
		{"same", "a b", "a b", "a b"},
		{"empty", "", "", ""},
		{"from nothing", "", "a", "{+a+}"},
		{"to nothing", "a", "", "[-a-]"},
		{"a word", "Cover edge cases", "Cover corner cases", "Cover [-edge-]{+corner+} cases"},
		{"part of a word", "test", "tests", "[-test-]{+tests+}"},
		{"a path", "run tests/a_test.py now", "run tests/b_test.py now", "run tests/[-a_test.py-]{+b_test.py+} now"},
		{"a phrase", "the quick fox", "one slow fox", "[-the quick-]{+one slow+} fox"},
		{"lines", "one\ntwo\n", "one\nthree\n", "one\n[-two-]{+three+}\n"},
		{"Chinese", "修复解析器", "修改解析器", "修[-复-]{+改+}解析器"},
		{"Japanese", "テストを追加", "テストを削除", "テストを[-追加-]{+削除+}"},
		{"a combining mark", "cafe au lait", "cafe\u0301 au lait", "[-cafe-]{+cafe\u0301+} au lait"},
		{"an emoji of several", "ok 👩‍👩‍👧 x", "ok 👩‍👩‍👦 x", "ok [-👩‍👩‍👧-]{+👩‍👩‍👦+} x"},
		{"a skin tone", "👍 x", "👍🏽 x", "[-👍-]{+👍🏽+} x"},
		{"flags", "🇩🇪🇫🇷", "🇩🇪🇮🇹", "🇩🇪[-🇫🇷-]{+🇮🇹+}"},
		{"beyond the basic plane", "𝒳 𠀀", "𝒳 𠀁", "𝒳 [-𠀀-]{+𠀁+}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := marked(plandiff.Words(tt.before, tt.after)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// What differs over more than 1,500 words is replaced as a whole, in bounded
// time and without a letter that no string can hold.
func TestWordsOfLongText(t *testing.T) {
	long := func(n int, word string) string { return strings.Repeat(word+" ", n) }
	if got := plandiff.Words(long(1001, "a"), "b"); len(got) != 2 || got[0].Text != long(1001, "a") {
		t.Errorf("not replaced as a whole: %d spans", len(got))
	}
	if got := plandiff.Words(long(5000, "a"), long(5000, "a")); len(got) != 1 || got[0].Op != plandiff.Keep {
		t.Errorf("the same long text: %d spans", len(got))
	}
	var before, after strings.Builder
	for i := range 2000 {
		before.WriteRune(rune(0x4e00 + i)) // two thousand different words a side
		after.WriteRune(rune(0x4e00 + 2000 + i))
	}
	checkSpans(t, before.String(), after.String())
}

// The kept and deleted words are the old text, the kept and inserted ones the
// new, byte for byte.
func TestWordsJoin(t *testing.T) {
	text := rapid.StringOf(rapid.OneOf(
		rapid.RuneFrom([]rune("ab  \n.,漢字かカé\u0301\u200d👩👧🏽🇩🇪ไท\r_-'")),
		rapid.Rune(),
	))
	rapid.Check(t, func(t *rapid.T) {
		before := text.Draw(t, "before")
		after := text.Draw(t, "after")
		if rapid.Bool().Draw(t, "edited") {
			cut := rapid.IntRange(0, utf8.RuneCountInString(before)).Draw(t, "cut")
			runes := []rune(before)
			after = string(runes[:cut]) + after + string(runes[cut:])
		}
		checkSpans(t, before, after)
	})
}

func checkSpans(t rapid.TB, before, after string) {
	t.Helper()
	var old, now strings.Builder
	for _, s := range plandiff.Words(before, after) {
		if s.Text == "" {
			t.Errorf("an empty span")
		}
		if s.Op != plandiff.Insert {
			old.WriteString(s.Text)
		}
		if s.Op != plandiff.Delete {
			now.WriteString(s.Text)
		}
	}
	if old.String() != before || now.String() != after {
		t.Fatalf("%q > %q gives %q > %q", before, after, old.String(), now.String())
	}
}
