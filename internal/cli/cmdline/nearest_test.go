package cmdline

import "testing"

// TestNearest guards: a mistyped word is answered with the one that was meant,
// and nonsense with none.
func TestNearest(t *testing.T) {
	known := []string{"add", "accept", "reject", "cancel", "decompose", "list", "m"}
	for word, want := range map[string]string{
		"ad": "add", "acept": "accept", "acecpt": "accept", "lsit": "list", "decomopse": "decompose",
		"zebra": "", "x": "", "m": "", "lists": "list",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
