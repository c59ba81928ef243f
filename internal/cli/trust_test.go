package cli

import (
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/test/gittest"
)

// docs/loop.md, "Trust": on a terminal, an init that makes the plan and the first command that starts an agent list what is
// there and ask; Enter and the end of input are no, and then nothing is trusted. What changed makes for another question, alone.
func TestTrustAsks(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile(".claude/settings\x1b.json", "{}")
	r.WriteFile("CLAUDE.md", "rules\n")
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "settings")
	ask := func(answer string, args ...string) (errs string, code int) {
		env := terminalEnv(r)
		env.Interactive, env.In = true, strings.NewReader(answer)
		_, errs, code = runIn(t, env, args...)
		return errs, code
	}
	trusted := func() bool { return strings.Contains(r.ReadFile(".git/config"), `[ralph "trust"]`) }
	const all = "  settings               .claude/settings\\x1b.json\n  instructions           CLAUDE.md\nTrust it, and let agents work here? [y/N] "
	for _, answer := range []string{"", "\n", "n\n", "no\n"} {
		if errs, code := ask(answer, "trust"); code != cmdline.ExitFailed || !strings.Contains(errs, all) || trusted() {
			t.Errorf("trust, %q: %d\n%s", answer, code, errs)
		}
	}
	if errs, code := ask("\n", "init"); code != cmdline.ExitDone || !strings.Contains(errs, all) || trusted() {
		t.Errorf("init: %d\n%s", code, errs)
	}
	r.WriteFile("s.md", "spec\n")
	r.WriteFile("ralph/specs/s.md", "spec\n")
	if errs, code := ask("n\n", "plan", "s.md", "--agent", "true"); code != cmdline.ExitFailed || !strings.Contains(errs, all[:strings.Index(all, "Trust it")]) || trusted() {
		t.Errorf("plan: %d\n%s", code, errs)
	}
	if errs, code := ask("y\n", "trust"); code != cmdline.ExitDone || !trusted() {
		t.Errorf("trust: %d\n%s", code, errs)
	}
	r.WriteFile(".mcp.json", "{}")
	errs, code := ask("n\n", "plan", "s.md", "--agent", "true")
	if code != cmdline.ExitFailed || !strings.Contains(errs, ".mcp.json") || strings.Contains(errs, "CLAUDE.md") {
		t.Errorf("after a change: %d\n%s", code, errs)
	}
}
