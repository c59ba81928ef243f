package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"git-ralph/internal/install"
)

// print tells which files changed, or with --dry-run would change, and how.
func (o installOptions) print(env *Env, changes []install.Change, none string, snippet install.Snippet) {
	if o.format.json(env) {
		env.writeJSON(func(w sink) { o.write(w, changes, snippet, nil) })
		return
	}
	if len(changes) == 0 {
		env.print("nothing to change: " + none)
	}
	for _, c := range changes {
		if !o.dryRun {
			env.print(fmt.Sprintf("changed %s (%s)", c.File, c.Item))
			continue
		}
		env.print("would change " + c.File + ":")
		for _, line := range c.Removed {
			io.WriteString(env.Out, env.paint("- "+shownLine(line), red)+"\n")
		}
		for _, line := range c.Added {
			io.WriteString(env.Out, env.paint("+ "+shownLine(line), green)+"\n")
		}
	}
	if snippet.File != "" {
		env.print("add this to " + snippet.File + ":")
		io.WriteString(env.Out, snippet.Text)
	}
}

// shownLine is a line of a file as people see it: what steers a terminal is
// shown, and indentation is.
func shownLine(line string) string {
	text := strings.TrimLeft(line, "\t")
	return strings.Repeat("    ", len(line)-len(text)) + printable(text)
}

// write writes {"scope", "dry_run", "changes": [{"item", "file", "added", "removed", "deleted"}], "snippet": {"file", "text"} or
// null, "kept": [{"what", "remove"}]}.
func (o installOptions) write(w sink, changes []install.Change, snippet install.Snippet, kept []keepsake) {
	out := object{sink: w}
	out.str("scope", string(o.scope))
	out.boolean("dry_run", o.dryRun)
	out.member("changes")
	writeArray(w, len(changes), func(i int) {
		c := object{sink: w}
		c.str("item", changes[i].Item)
		c.str("file", changes[i].File)
		c.member("added")
		writeTexts(w, changes[i].Added)
		c.member("removed")
		writeTexts(w, changes[i].Removed)
		c.boolean("deleted", changes[i].Deleted)
		c.end()
	})
	out.member("snippet")
	if snippet.File == "" {
		w.WriteString("null")
	} else {
		s := object{sink: w}
		s.str("file", snippet.File)
		s.str("text", snippet.Text)
		s.end()
	}
	out.member("kept")
	writeArray(w, len(kept), func(i int) {
		k := object{sink: w}
		k.str("what", kept[i].what)
		k.str("remove", kept[i].remove)
		k.end()
	})
	out.end()
}

func writeTexts(w sink, texts []string) {
	w.WriteByte('[')
	for i, text := range texts {
		if i > 0 {
			w.WriteString(", ")
		}
		writeString(w, text)
	}
	w.WriteByte(']')
}

// confirm asks a question on the terminal. No answer is a no.
func (e *Env) confirm(question string) bool {
	fmt.Fprintf(e.Err, "%s [y/N] ", question)
	answer, _ := bufio.NewReader(e.In).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
