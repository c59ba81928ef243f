package planio

import (
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plandiff"
)

// Undone says whose change was taken back, or made again.
type Undone struct {
	Redo   bool
	Commit string // in hex
	Title  string // what the commit did
	Diff   plandiff.Diff
}

func (u Undone) text() string {
	return u.word() + ": " + term.Printable(u.Title) + " (" + Shortened(u.Commit) + ")"
}

// write writes the member "undone" or "redone": {"commit", "title"}.
func (u Undone) write(out *term.Object) {
	out.Member(u.word())
	o := term.Object{Sink: out.Sink}
	o.Str("commit", u.Commit)
	o.Str("title", u.Title)
	o.End()
}

func (u Undone) word() string {
	if u.Redo {
		return "redone"
	}
	return "undone"
}
