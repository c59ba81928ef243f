package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// Every command that help shows says what it does, when it ends with which
// exit code, and how it is used; so does every manual page.
func TestEveryCommandIsDocumented(t *testing.T) {
	check := func(path []*cli.Command, c *cli.Command) {
		name := cmdline.CommandName(path)
		text, ending := cmdline.SplitManual(c.Description)
		if c.Usage == "" || strings.TrimSpace(text) == "" {
			t.Errorf("%s: does not say what it does", name)
		}
		for _, title := range []string{"EXIT STATUS\n", "\nEXAMPLES\n"} {
			if !strings.Contains(ending, title) {
				t.Errorf("%s: has no %q", name, title)
			}
		}
		if c.Action != nil && !strings.Contains(ending, "\n  0  ") {
			t.Errorf("%s: does not say what 0 means", name)
		}
		for _, f := range c.Flags {
			if _, about := cmdline.FlagUsage(f); about == "" && !cmdline.IsHidden(f) {
				t.Errorf("%s: flag %v does not say what it does", name, f.Names())
			}
		}
	}
	visitCommands(NewApp(&term.Env{}), check)
}

// visitCommands calls visit with the program and every command that help shows.
func visitCommands(app *cli.App, visit func(path []*cli.Command, c *cli.Command)) {
	var below func(path []*cli.Command, c *cli.Command)
	below = func(path []*cli.Command, c *cli.Command) {
		visit(path, c)
		for _, next := range c.VisibleCommands() {
			below(append(slices.Clone(path), next), next)
		}
	}
	below(nil, &cli.Command{Usage: app.Usage, Description: app.Description, Flags: app.Flags, Action: app.Action, Subcommands: app.Commands})
}
