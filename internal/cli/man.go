package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// manOptions are the command line of `git ralph man`.
type manOptions struct{ dir string }

// newMan is for `make man` and install.sh, so no help shows it.
func newMan(env *Env) *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "write the manual pages", ArgsUsage: "DIR", Hidden: true,
		Description: `Writes a manual page for git ralph and for each of its commands into a folder,
which is made where it is not there.

EXIT STATUS
  0  done
  1  a page cannot be written
  2  the command line is wrong

EXAMPLES
  git ralph man ~/.local/share/man/man1`,
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usage(c, "man takes the folder to write to")
			}
			return manOptions{dir: c.Args().First()}.run(env, c.App)
		},
	}
}

func (o manOptions) run(env *Env, app *cli.App) error {
	dir := env.path(o.dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot make %s: %w", o.dir, reasonOf(err))
	}
	date := env.Now().UTC().Format(time.DateOnly)
	for _, page := range manPages(app) {
		path := filepath.Join(dir, page.name()+".1")
		if err := os.WriteFile(path, []byte(page.roff(env.Version, date)), 0o666); err != nil {
			return fmt.Errorf("cannot write %s: %w", path, reasonOf(err))
		}
	}
	return nil
}

// A manPage is what a manual says of one command.
type manPage struct {
	path    []*cli.Command // empty for the program itself
	command *cli.Command
	related []manPage // the command above, and those below
}

// manPages returns the pages of the program and of every command that help
// shows.
func manPages(app *cli.App) []manPage {
	root := manPage{command: &cli.Command{
		Usage: app.Usage, Description: app.Description, Subcommands: app.Commands, Flags: app.Flags, Action: app.Action,
	}}
	return root.withBelow()
}

// withBelow returns a page and all those below it.
func (p manPage) withBelow() []manPage {
	var below, all []manPage
	for _, c := range p.command.Subcommands {
		if c.Hidden {
			continue
		}
		child := manPage{path: append(p.path[:len(p.path):len(p.path)], c), command: c, related: []manPage{p}}
		below = append(below, child)
		all = append(all, child.withBelow()...)
	}
	p.related = append(p.related, below...)
	return append([]manPage{p}, all...)
}

// name is the page's, such as git-ralph-task-add.
func (p manPage) name() string { return strings.ReplaceAll(commandName(p.path), " ", "-") }

// roff returns the page in the man macros of troff.
func (p manPage) roff(version, date string) string {
	var r roff
	r.macro("TH", strings.ToUpper(p.name()), "1", date, strings.TrimSpace("git-ralph "+version), "git ralph")
	r.macro("SH", "NAME")
	r.line(p.name() + " - " + p.command.Usage)
	r.macro("SH", "SYNOPSIS")
	r.synopsis(synopsis(p.path, p.command))
	text, ending := splitManual(p.command.Description)
	r.macro("SH", "DESCRIPTION")
	r.prose(text)
	p.commands(&r)
	p.options(&r)
	r.prose(ending)
	r.macro("SH", "SEE ALSO")
	names := make([]string, 0, len(p.related)+1)
	for _, page := range p.related {
		names = append(names, page.name()+"(1)")
	}
	r.line(strings.Join(append(names, "git(1)"), ", "))
	return r.String()
}

func (p manPage) commands(r *roff) {
	for i, c := range visible(p.command.Subcommands) {
		if i == 0 {
			r.macro("SH", "COMMANDS")
		}
		r.item(bold(c.Name), c.Usage)
	}
}

func visible(commands []*cli.Command) []*cli.Command {
	var shown []*cli.Command
	for _, c := range commands {
		if !c.Hidden {
			shown = append(shown, c)
		}
	}
	return shown
}

func (p manPage) options(r *roff) {
	begun := false
	for _, f := range p.command.Flags {
		if isHidden(f) {
			continue
		}
		if !begun {
			r.macro("SH", "OPTIONS")
			begun = true
		}
		value, text := flagUsage(f)
		term := bold(dashedAll(f.Names()))
		if value != "" {
			term += " " + italic(value)
		}
		r.item(term, text)
	}
}
