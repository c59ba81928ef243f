package cli

import (
	"regexp"
	"strings"
	"testing"

	"git-ralph/internal/git/gittest"
)

// TestHelpWords guards: helps say "show" and "report", not that something tells, is told or stands somewhere.
func TestHelpWords(t *testing.T) {
	env := terminalEnv(gittest.NewRepo(t))
	env.Colour, env.Environ = false, append(env.Environ, "GIT_PAGER=cat")
	old := regexp.MustCompile(`(?i)\b(told|tells?|stands?)\b`)
	for _, path := range helpPaths(env) {
		out, errs, code := runIn(t, env, append([]string{"help"}, strings.Fields(path)...)...)
		if code != exitDone {
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
func helpPaths(env *Env) []string {
	paths := []string{""}
	var visit func(path string, commands []*cliCommand)
	visit = func(path string, commands []*cliCommand) {
		for _, c := range commands {
			paths = append(paths, strings.TrimSpace(path+" "+c.Name))
			visit(path+" "+c.Name, c.Subcommands)
		}
	}
	visit("", commands(env))
	return paths
}
