package cli

import (
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/plancmd"
	"git-ralph/internal/test/gittest"
)

// TestPrimeIsShort guards: what every agent reads before it works takes less than 500 tokens, at four characters a token,
// and names only commands that there are.
func TestPrimeIsShort(t *testing.T) {
	env := terminalEnv(gittest.NewDirectory(t))
	env.Terminal = false
	text, errs, code := runIn(t, env, "prime")
	if code != cmdline.ExitDone || errs != "" {
		t.Fatal(code, errs)
	}
	if len(text) > 4*500 || len(text) < 4*100 {
		t.Errorf("%d characters", len(text))
	}
	for _, name := range plancmd.Primed() {
		if !strings.Contains(text, "`git ralph "+name) {
			t.Errorf("%s is not named", name)
		}
		if _, errs, code := runIn(t, env, append([]string{"help"}, strings.Fields(name)...)...); code != cmdline.ExitDone {
			t.Errorf("%s: %s", name, errs)
		}
	}
}

// TestPrimeMarkers guards: what the user wrote around the markers stays, and damaged markers are not guessed about.
func TestPrimeMarkers(t *testing.T) {
	r := gittest.NewRepo(t)
	env := terminalEnv(r)
	r.WriteFile("CLAUDE.md", "before\n"+plancmd.PrimeBegin+"\nold\n"+plancmd.PrimeEnd+"\nafter\n")
	if _, errs, code := runIn(t, env, "prime", "--claude-md"); code != cmdline.ExitDone {
		t.Fatal(errs)
	}
	got := r.ReadFile("CLAUDE.md")
	if !strings.HasPrefix(got, "before\n"+plancmd.PrimeBegin) || !strings.HasSuffix(got, plancmd.PrimeEnd+"\nafter\n") || strings.Contains(got, "\nold\n") {
		t.Errorf("%s", got)
	}
	r.WriteFile("CLAUDE.md", "before\n"+plancmd.PrimeBegin+"\nold\n")
	if _, errs, code := runIn(t, env, "prime", "--claude-md"); code != cmdline.ExitFailed || !strings.Contains(errs, "the markers") {
		t.Errorf("%d %s", code, errs)
	}
	if got := r.ReadFile("CLAUDE.md"); got != "before\n"+plancmd.PrimeBegin+"\nold\n" {
		t.Errorf("changed to %s", got)
	}
}
