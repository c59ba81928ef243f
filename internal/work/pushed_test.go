package work

import "testing"

// TestIsMade guards: what an agent only takes over from the target, by a fast-forward or as the base of a rebase, does not count as its own.
func TestIsMade(t *testing.T) {
	for reason, want := range map[string]bool{
		"commit: x":                             true,
		"commit (amend): x":                     true,
		"commit (merge): Merge branch 'main'":   true,
		"merge main: Merge made by the 'ort' …": true,
		"merge main: Fast-forward":              false,
		"pull: Fast-forward":                    false,
		"pull: Merge made by the 'ort' …":       true,
		"pull --rebase (start): checkout 1234":  false,
		"pull --rebase (pick): x":               true,
		"rebase (start): checkout main":         false,
		"rebase (pick): x":                      true,
		"rebase (finish): returning to x":       false,
		"cherry-pick: x":                        true,
		"checkout: moving from main to x":       false,
		"reset: moving to main":                 false,
		"ralph: task done":                      false,
	} {
		if isMade(reason) != want {
			t.Errorf("%q: got %v", reason, !want)
		}
	}
}
