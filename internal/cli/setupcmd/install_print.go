package setupcmd

import (
	"fmt"
	"io"
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/install"
)

// print shows which files changed, or with --dry-run would change, and how.
func (o installOptions) print(env *term.Env, changes []install.Change, none string, snippet install.Snippet) {
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) { o.write(w, changes, snippet, nil) })
		return
	}
	if len(changes) == 0 {
		env.Print("nothing to change: " + none)
	}
	for _, c := range changes {
		if !o.dryRun {
			env.Print(fmt.Sprintf("changed %s (%s)", c.File, c.Item))
			continue
		}
		env.Print("would change " + c.File + ":")
		for _, line := range c.Removed {
			io.WriteString(env.Out, env.Paint("- "+shownLine(line), term.Red)+"\n")
		}
		for _, line := range c.Added {
			io.WriteString(env.Out, env.Paint("+ "+shownLine(line), term.Green)+"\n")
		}
	}
	if snippet.File != "" {
		env.Print("add this to " + snippet.File + ":")
		io.WriteString(env.Out, snippet.Text)
	}
}

// shownLine returns a line of a file as people see it: with control characters made
// visible, and tabs at its beginning as spaces.
func shownLine(line string) string {
	text := strings.TrimLeft(line, "\t")
	return strings.Repeat("    ", len(line)-len(text)) + term.Printable(text)
}

// write writes {"scope", "dry_run", "changes": [{"item", "file", "added", "removed", "deleted"}], "snippet": {"file", "text"} or
// null, "kept": [{"what", "remove"}]}.
func (o installOptions) write(w term.Sink, changes []install.Change, snippet install.Snippet, kept []keptItem) {
	out := term.Object{Sink: w}
	out.Str("scope", string(o.scope))
	out.Boolean("dry_run", o.dryRun)
	out.Member("changes")
	term.WriteArray(w, len(changes), func(i int) {
		c := term.Object{Sink: w}
		c.Str("item", changes[i].Item)
		c.Str("file", changes[i].File)
		c.Member("added")
		term.WriteTexts(w, changes[i].Added)
		c.Member("removed")
		term.WriteTexts(w, changes[i].Removed)
		c.Boolean("deleted", changes[i].Deleted)
		c.End()
	})
	out.Member("snippet")
	if snippet.File == "" {
		w.WriteString("null")
	} else {
		s := term.Object{Sink: w}
		s.Str("file", snippet.File)
		s.Str("text", snippet.Text)
		s.End()
	}
	out.Member("kept")
	term.WriteArray(w, len(kept), func(i int) {
		k := term.Object{Sink: w}
		k.Str("what", kept[i].what)
		k.Str("remove", kept[i].remove)
		k.End()
	})
	out.End()
}
