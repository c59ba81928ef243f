package githooks

import (
	"slices"
	"strings"
	"testing"
)

// docs/hooks.md: a script asks git whether the plan's bytes differ. Later versions would ask a text form of the plan, or
// the user's own program for differences, which may see none, and cost a process each.
func TestScriptsCompareBytes(t *testing.T) {
	asked := 0
	for _, name := range slices.Concat(Names(), OnDemand()) {
		for line := range strings.Lines(Script(name, Place{Plan: "p", Program: "git-ralph"})) {
			_, call, found := strings.Cut(line, "git diff ")
			if !found {
				continue
			}
			asked++
			if !strings.HasPrefix(call, "--no-ext-diff --no-textconv ") || !strings.Contains(call, " -- 'p'") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	if asked < 6 {
		t.Errorf("%d scripts ask for differences", asked)
	}
}
