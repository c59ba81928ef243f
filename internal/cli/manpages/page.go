package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
)

// A page is the manual page of one command.
type page struct {
	path    []*cli.Command // empty for the program itself
	command *cli.Command
	related []page // the command above, and those below
}

// pagesOf returns the pages of the program and of every command that help
// shows.
func pagesOf(app *cli.App) []page {
	root := page{command: &cli.Command{
		Usage: app.Usage, Description: app.Description, Subcommands: app.Commands, Flags: app.Flags, Action: app.Action,
	}}
	return root.withBelow()
}

// withBelow returns a page and all those below it.
func (p page) withBelow() []page {
	var below, all []page
	for _, c := range p.command.VisibleCommands() {
		child := page{path: append(p.path[:len(p.path):len(p.path)], c), command: c, related: []page{p}}
		below = append(below, child)
		all = append(all, child.withBelow()...)
	}
	p.related = append(p.related, below...)
	return append([]page{p}, all...)
}

// name returns the page's name, such as git-ralph-task-add.
func (p page) name() string { return strings.ReplaceAll(cmdline.CommandName(p.path), " ", "-") }

// roff returns the page in the man macros of troff.
func (p page) roff(version, date string) string {
	var r roff
	r.macro("TH", strings.ToUpper(p.name()), "1", date, strings.TrimSpace("git-ralph "+version), "git ralph")
	r.macro("SH", "NAME")
	r.line(p.name() + " - " + p.command.Usage)
	r.macro("SH", "SYNOPSIS")
	r.synopsis(cmdline.Synopsis(p.path, p.command))
	text, ending := cmdline.SplitManual(p.command.Description)
	r.macro("SH", "DESCRIPTION")
	r.prose(text)
	p.commands(&r)
	p.options(&r)
	r.prose(ending)
	r.macro("SH", "SEE ALSO")
	names := make([]string, 0, len(p.related)+1)
	for _, other := range p.related {
		names = append(names, other.name()+"(1)")
	}
	r.line(strings.Join(append(names, "git(1)"), ", "))
	return r.String()
}

func (p page) commands(r *roff) {
	for i, c := range p.command.VisibleCommands() {
		if i == 0 {
			r.macro("SH", "COMMANDS")
		}
		r.item(bold(c.Name), c.Usage)
	}
}

func (p page) options(r *roff) {
	begun := false
	for _, f := range p.command.Flags {
		if cmdline.IsHidden(f) {
			continue
		}
		if !begun {
			r.macro("SH", "OPTIONS")
			begun = true
		}
		value, text := cmdline.FlagUsage(f)
		names := bold(cmdline.DashedAll(f.Names()))
		if value != "" {
			names += " " + italic(value)
		}
		r.item(names, text)
	}
}
