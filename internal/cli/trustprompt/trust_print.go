package trustprompt

import (
	"fmt"
	"slices"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/trust"
)

// maxOfKind is how many files of one kind are listed before a question.
const maxOfKind = 20

// kindsInOrder lists the kinds of entries: what runs by itself first, what is only read last.
func kindsInOrder() []trust.Kind {
	return []trust.Kind{
		trust.Settings, trust.Server, trust.Plugin, trust.Variables, trust.Prompt, trust.Definition, trust.Skill, trust.Instructions, trust.Spec,
	}
}

// show lists entries by kind, what runs by itself first.
func (s *Site) show(env *term.Env, entries []trust.Entry) {
	if len(entries) == 0 {
		env.Print("Nothing in this repository controls agents, or is run by them.")
		return
	}
	if s.Record.Trusted() {
		env.Print("This is new or changed since the repository was trusted, and agents run it:")
	} else {
		env.Print("Agents read this in the repository, and run what it says:")
	}
	for _, kind := range kindsInOrder() {
		n := 0
		for _, e := range entries {
			if e.Kind != kind {
				continue
			}
			if n++; n <= maxOfKind {
				env.Print(fmt.Sprintf("  %-21s  %s", kind, e.Path))
			}
		}
		if n > maxOfKind {
			env.Print(fmt.Sprintf("  %-21s  … and %d more; `git ralph trust --list` lists all", kind, n-maxOfKind))
		}
	}
}

// List lists every entry.
func (s *Site) List(env *term.Env) {
	var t term.Table
	changed := s.Record.Unaccepted(s.Entries)
	for _, kind := range kindsInOrder() {
		for _, e := range s.Entries {
			if e.Kind == kind {
				t.Add(term.Cell{Text: trustOf(e, changed), Style: term.PlainStyle}, term.Cell{Text: string(kind), Style: term.PlainStyle}, term.Cell{Text: e.Path, Style: term.Strong})
			}
		}
	}
	t.Write(env)
}

// trustOf returns in a word or two whether an entry is trusted.
func trustOf(e trust.Entry, changed []trust.Entry) string {
	switch {
	case !e.Runs():
		return "read"
	case slices.Contains(changed, e):
		return "not trusted"
	}
	return "trusted"
}

// WriteJSON writes {"trusted", "at", "entries": [{"path", "kind", "runs", "trusted", "hash"}]}.
func (s *Site) WriteJSON(w term.Sink) {
	out := term.Object{Sink: w}
	out.Boolean("trusted", s.Trusted())
	out.StrOrNull("at", s.Record.At)
	out.Member("entries")
	term.WriteArray(w, len(s.Entries), func(i int) {
		e := s.Entries[i]
		entry := term.Object{Sink: w}
		entry.Str("path", e.Path)
		entry.Str("kind", string(e.Kind))
		entry.Boolean("runs", e.Runs())
		entry.Boolean("trusted", s.Record.Has(e))
		entry.Str("hash", e.Hash)
		entry.End()
	})
	out.End()
}
