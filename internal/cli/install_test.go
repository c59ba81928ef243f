package cli

import (
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/test/gittest"
)

// On a terminal there is one question about .gitattributes; only a yes writes it, and no
// program is ever asked.
func TestInstallAsks(t *testing.T) {
	const question = "Add the plan to .gitattributes"
	for answer, yes := range map[string]bool{"y\n": true, " YES\r\n": true, "\n": false, "no\n": false, "": false} {
		r := gittest.NewRepo(t)
		env := terminalEnv(r)
		env.Colour, env.Interactive, env.Width, env.In = false, true, 200, strings.NewReader(answer)
		out, errs, code := runIn(t, env, "install")
		if code != cmdline.ExitDone || !strings.Contains(errs, question) || r.Exists(".gitattributes") != yes {
			t.Errorf("%q: exit %d, asked %q, exists %v", answer, code, errs, r.Exists(".gitattributes"))
		}
		if !strings.Contains(out, "changed "+r.Path(".git/config")+" (configuration)\n") {
			t.Errorf("%q: %s", answer, out)
		}
		if strings.Contains(errs, "hint: commit .gitattributes") != yes {
			t.Errorf("%q: %s", answer, errs)
		}
		if out, errs, _ := runIn(t, env, "install"); strings.Contains(errs, question) == yes || !strings.Contains(out, "nothing to change") {
			t.Errorf("%q, again: %s%s", answer, out, errs)
		}
	}
	r := gittest.NewRepo(t)
	env := terminalEnv(r)
	if _, errs, _ := runIn(t, env, "install"); strings.Contains(errs, question) || !strings.Contains(errs, "hint: --attributes adds") {
		t.Errorf("nobody to ask: %s", errs)
	}
}

// --dry-run shows every line, as it would be written and where.
func TestInstallDryRunForPeople(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "ralph.plan", "a b.jsonl")
	env := terminalEnv(r)
	env.Colour, env.Interactive, env.Width = false, true, 200
	out, errs, _ := runIn(t, env, "install", "--dry-run", "--attributes", "--no-hooks")
	for _, line := range []string{
		"would change " + r.Path(".git/config") + ":\n+ [merge \"ralph\"] # git ralph: begin\n",
		"\n+ # git ralph: begin (new file)\n+ \"/a b.jsonl\" merge=ralph diff=ralph\n+ # git ralph: end\nwould change " + r.Path(".gitattributes") + ":\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
	if errs != "" || r.Exists(".gitattributes") || r.Exists(".git/info/attributes") {
		t.Errorf("said %q, or wrote", errs)
	}
	if out, _, _ := runIn(t, env, "uninstall"); out != "nothing to change: it is not installed\n" {
		t.Errorf("uninstall: %s", out)
	}
	runIn(t, env, "install", "--attributes", "--no-hooks")
	if out, _, _ := runIn(t, env, "uninstall", "--dry-run"); !strings.Contains(out, "\n- \"/a b.jsonl\" merge=ralph diff=ralph\n") {
		t.Errorf("uninstall: %s", out)
	}
}

// TestUninstallAsks guards: on a terminal uninstall asks before it deletes a file that the last commit has; only a yes deletes it,
// and anything else changes nothing at all.
func TestUninstallAsks(t *testing.T) {
	const question = "Delete .gitattributes, which the last commit has? "
	for answer, yes := range map[string]bool{"y\n": true, " YES\r\n": true, "\n": false, "no\n": false, "": false} {
		r := gittest.NewRepo(t)
		env := terminalEnv(r)
		env.Colour, env.Width = false, 200
		runIn(t, env, "install", "--attributes")
		r.Git("add", ".gitattributes")
		r.Git("commit", "-q", "-m", "attributes")
		env.Interactive, env.In = true, strings.NewReader(answer)
		config := r.ReadFile(".git/config")
		out, errs, code := runIn(t, env, "uninstall", "--attributes")
		if !strings.Contains(errs, question) || r.Exists(".gitattributes") == yes {
			t.Errorf("%q: asked %q, still there: %v", answer, errs, r.Exists(".gitattributes"))
		}
		switch {
		case yes && (code != cmdline.ExitDone || !strings.Contains(out, "removed "+r.Path(".gitattributes")+" ")):
			t.Errorf("%q: exit code %d: %s", answer, code, out)
		case !yes && (code != cmdline.ExitFailed || !strings.Contains(errs, "error: aborted; nothing was changed\n") || r.ReadFile(".git/config") != config):
			t.Errorf("%q: exit code %d: %s", answer, code, errs)
		}
	}
}
