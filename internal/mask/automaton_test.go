package mask

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestScanFindsEveryWord guards: in texts of every length, each word is found at each place where it ends, in order, whatever lies
// across the halves.
func TestScanFindsEveryWord(t *testing.T) {
	words := []string{"a", "ab", "bab", "abbab", "bbbb"}
	a := newAutomaton(words)
	random := rand.New(rand.NewPCG(1, 2))
	for length := range 200 {
		text := make([]byte, length)
		for i := range text {
			text[i] = "aAbBc"[random.IntN(5)]
		}
		type place struct {
			Word string
			End  int
		}
		var got, want []place
		a.scan(text, func(word uint16, end int) { got = append(got, place{words[word], end}) })
		for end := range length + 1 {
			for n := len(words) - 1; n >= 0; n-- { // the longer first
				if word := []string{"a", "ab", "bab", "bbbb", "abbab"}[n]; strings.HasSuffix(strings.ToLower(string(text[:end])), word) {
					want = append(want, place{word, end})
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s: %s", text, diff)
		}
	}
}

// TestPlainByEights guards: whether a text has something to replace is answered alike wherever it stands.
func TestPlainByEights(t *testing.T) {
	for r := rune(0); r < 0x300; r++ {
		want := r == '\n' || r == '\t' || !IsControl(r)
		for at := range 17 {
			text := strings.Repeat("x", at) + string(r) + strings.Repeat("~", 16-at)
			if got := isPlain([]byte(text)); got != want {
				t.Fatalf("%q: %v", text, got)
			}
		}
	}
	for b := utf8.RuneSelf; b < 256; b++ {
		for at := range 9 {
			if text := append([]byte(strings.Repeat(" ", at)), byte(b), ' '); isPlain(text) {
				t.Fatalf("%q is plain", text)
			}
		}
	}
}
