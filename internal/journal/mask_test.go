package journal

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestSeenOverlooksNothing guards: the quick look at a text finds every mark that stands in it, at its ends too.
func TestSeenOverlooksNothing(t *testing.T) {
	m := newMasker()
	if len(m.shapes) > nextPair {
		t.Fatalf("%d shapes do not fit into the bits of seen", len(m.shapes))
	}
	pieces := []string{"s", "sk", "gh", "p_", "_", "PASS", "apiK", "Bearer", " ", "\n", "x"}
	for _, s := range m.shapes {
		pieces = append(pieces, s.mark, s.mark[:len(s.mark)-1])
	}
	for range 10000 {
		var text []byte
		for range rand.IntN(8) {
			text = append(text, pieces[rand.IntN(len(pieces))]...)
		}
		found := m.seen(text)
		for n, s := range m.shapes {
			if want := bytes.Contains(text, []byte(s.mark)); want != (found&(1<<n) != 0) {
				t.Fatalf("%q: %q is seen: %t", text, s.mark, !want)
			}
		}
	}
}
