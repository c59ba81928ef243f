package cli

import (
	"regexp"
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// TestHelpWords guards: helps say "show" and "report", and name nothing that acts like a person.
func TestHelpWords(t *testing.T) {
	env := terminalEnv(gittest.NewRepo(t))
	env.Colour, env.Environ = false, append(env.Environ, "GIT_PAGER=cat")
	old := regexp.MustCompile(`(?i)\bstands?\b`)
	for _, path := range helpPaths(env) {
		out, errs, code := runIn(t, env, append([]string{"help"}, strings.Fields(path)...)...)
		if code != cmdline.ExitDone {
			t.Fatalf("help %s: exit code %d: %s", path, code, errs)
		}
		for line := range strings.Lines(out) {
			if old.MatchString(line) {
				t.Errorf("help %s: %s", path, strings.TrimSpace(line))
			}
		}
	}
}

// helpPaths returns every command that has a help, "" for git ralph itself.
func helpPaths(env *term.Env) []string {
	paths := []string{""}
	var visit func(path string, commands []*cliCommand)
	visit = func(path string, commands []*cliCommand) {
		for _, c := range commands {
			paths = append(paths, strings.TrimSpace(path+" "+c.Name))
			visit(path+" "+c.Name, c.Subcommands)
		}
	}
	visit("", NewApp(env).Commands)
	return paths
}
