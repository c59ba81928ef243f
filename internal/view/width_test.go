package view

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestCutText guards: what is cut has room, is the beginning of the text, and no character of several runes is cut in two.
func TestCutText(t *testing.T) {
	parts := []string{"W", "i", " ", "é", "e\u0301", "漢", "👨‍👩‍👧‍👦", "🇯🇵", "ع", "&", "…"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 60).Draw(t, "parts"), "")
		room := rapid.IntRange(20, 300).Draw(t, "room")
		got := CutText(s, room)
		if TextWidth(got) > room || !utf8.ValidString(got) {
			t.Fatalf("%q in %d: %q, %d", s, room, got, TextWidth(got))
		}
		if got != s && (!strings.HasSuffix(got, "…") || !strings.HasPrefix(s, strings.TrimSuffix(got, "…"))) {
			t.Fatalf("%q in %d: %q", s, room, got)
		}
		if got != s && strings.HasSuffix(strings.TrimSuffix(got, "…"), "\u200d") {
			t.Fatalf("a family is cut in two: %q", got)
		}
	})
}

// TestOneLine guards: no letter has so many marks that they cover other lines, and what scripts need stays.
func TestOneLine(t *testing.T) {
	if got := OneLine("a" + strings.Repeat("\u0301", 10_000) + " \n b"); got != "a"+strings.Repeat("\u0301", maxMarks)+" b" {
		t.Errorf("%.100q", got)
	}
	for _, s := range []string{"שָׁלוֹם", "ế", "3️⃣", "👨‍👩‍👧‍👦", "हिन्दी"} {
		if got := OneLine(s); got != s {
			t.Errorf("%q: %q", s, got)
		}
	}
}
