package cli

import (
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// TestMessagesAreWrapped guards: a message breaks at blanks, goes on indented, and a command, a path, an id or a quoted
// value stays whole; wide characters count by their width.
func TestMessagesAreWrapped(t *testing.T) {
	for _, it := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two", 7, []string{"one two"}},
		{"one two three four", 9, []string{"one two", "  three", "  four"}},
		{"run `git ralph task list` then", 21, []string{"run", "`git ralph task list`", "  then"}},
		{"run `git ralph task list --text` then", 12, []string{"run", "`git ralph task list --text`", "  then"}},
		{`is "so and so", expected x`, 14, []string{"is", `  "so and so",`, "  expected x"}},
		{`a "b \" c" d`, 8, []string{`a "b`, `  \" c"`, "  d"}},
		{`a "b \" c" d`, 11, []string{`a "b \" c"`, "  d"}},
		{"a long `quote begins", 10, []string{"a long", "  `quote", "  begins"}},
		{"see /a/long/path:3:1: it", 10, []string{"see", "/a/long/path:3:1:", "  it"}},
		{"仕様 は ない です", 10, []string{"仕様 は", "  ない", "  です"}},
		{"  - a list with words", 12, []string{"  - a list", "    with", "    words"}},
	} {
		env := &term.Env{Terminal: true, Width: it.width}
		if got := strings.Split(env.Fit(term.Cell{Text: it.text}), "\n"); !slices.Equal(got, it.want) {
			t.Errorf("%q in %d columns:\n%q, want\n%q", it.text, it.width, got, it.want)
		}
	}
}

// TestMessagesThroughAPipe guards: a script reads a message on one line, however wide.
func TestMessagesThroughAPipe(t *testing.T) {
	env := terminalEnv(gittest.NewRepo(t))
	const line = "git-ralph: error: invalid amount \"3x\": want a number of dollars, such as 2.50\n"
	if _, errs, _ := runIn(t, env, "build", "--max-cost", "3x"); !strings.HasPrefix(errs, line) {
		t.Errorf("%s", errs)
	}
	env.ErrWidth = func() int { return 50 }
	if _, errs, _ := runIn(t, env, "build", "--max-cost", "3x"); !strings.HasPrefix(errs, strings.Replace(line, " number", "\n  number", 1)) {
		t.Errorf("%s", errs)
	}
}
