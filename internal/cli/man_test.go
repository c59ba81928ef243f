package cli

import (
	"strings"
	"testing"
)

// Every command that help shows says what it does, when it ends with which
// exit code, and how it is used; so every manual page does.
func TestEveryCommandIsDocumented(t *testing.T) {
	for _, page := range manPages(newApp(&Env{})) {
		text, ending := splitManual(page.command.Description)
		if page.command.Usage == "" || strings.TrimSpace(text) == "" {
			t.Errorf("%s: does not say what it does", page.name())
		}
		for _, title := range []string{"EXIT STATUS\n", "\nEXAMPLES\n"} {
			if !strings.Contains(ending, title) {
				t.Errorf("%s: has no %q", page.name(), title)
			}
		}
		if page.command.Action != nil && !strings.Contains(ending, "\n  0  ") {
			t.Errorf("%s: does not say what 0 means", page.name())
		}
		for _, f := range page.command.Flags {
			if _, about := flagUsage(f); about == "" && !isHidden(f) {
				t.Errorf("%s: flag %v does not say what it does", page.name(), f.Names())
			}
		}
	}
}
