package cli

import (
	"fmt"
	"io"
	"slices"

	"git-ralph/internal/trust"
)

// maxOfKind is how many files of one kind are listed before a question.
const maxOfKind = 20

// kindsInOrder lists what runs by itself first, and what is only read last.
func kindsInOrder() []trust.Kind {
	return []trust.Kind{
		trust.Settings, trust.Server, trust.Plugin, trust.Variables, trust.Prompt, trust.Definition, trust.Skill, trust.Instructions, trust.Spec,
	}
}

// show lists entries by kind, what runs by itself first.
func (s *site) show(w io.Writer, entries []trust.Entry) {
	if len(entries) == 0 {
		fmt.Fprintln(w, "Nothing in this repository steers agents, or is run by them.")
		return
	}
	if s.record.Given() {
		fmt.Fprintln(w, "This is new or changed since the repository was trusted, and agents run it:")
	} else {
		fmt.Fprintln(w, "Agents read this in the repository, and run what it says:")
	}
	for _, kind := range kindsInOrder() {
		n := 0
		for _, e := range entries {
			if e.Kind != kind {
				continue
			}
			if n++; n <= maxOfKind {
				fmt.Fprintf(w, "  %-21s  %s\n", kind, printable(e.Path))
			}
		}
		if n > maxOfKind {
			fmt.Fprintf(w, "  %-21s  … and %d more; `git ralph trust --list` lists all\n", kind, n-maxOfKind)
		}
	}
}

// print tells how the site stands.
func (s *site) print(env *Env, o trustOptions) {
	if o.format.json(env) {
		env.writeJSON(s.write)
		return
	}
	if o.list {
		s.table(env)
	}
	switch news := len(s.record.Unaccepted(s.entries)); {
	case !s.record.Given():
		env.print("not trusted: no agent is started here")
	case news > 0:
		env.print(fmt.Sprintf("trusted on %s; %s changed since", s.record.At, plural(news, "file")))
	default:
		env.print("trusted: agents may work here")
	}
}

// table lists every entry.
func (s *site) table(env *Env) {
	var t table
	news := s.record.Unaccepted(s.entries)
	for _, kind := range kindsInOrder() {
		for _, e := range s.entries {
			if e.Kind == kind {
				t.add(cell{s.standing(e, news), plainStyle}, cell{string(kind), plainStyle}, cell{e.Path, strong})
			}
		}
	}
	t.write(env)
}

// standing says in a word whether an entry is trusted.
func (s *site) standing(e trust.Entry, news []trust.Entry) string {
	switch {
	case !e.Runs():
		return "read"
	case slices.Contains(news, e):
		return "not trusted"
	}
	return "trusted"
}

// write writes {"trusted", "at", "entries": [{"path", "kind", "runs", "trusted", "hash"}]}.
func (s *site) write(w sink) {
	out := object{sink: w}
	out.boolean("trusted", s.trusted())
	out.strOrNull("at", s.record.At)
	out.member("entries")
	writeArray(w, len(s.entries), func(i int) {
		e := s.entries[i]
		entry := object{sink: w}
		entry.str("path", e.Path)
		entry.str("kind", string(e.Kind))
		entry.boolean("runs", e.Runs())
		entry.boolean("trusted", s.record.Has(e))
		entry.str("hash", e.Hash)
		entry.end()
	})
	out.end()
}
