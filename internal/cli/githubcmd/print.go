package githubcmd

import (
	"strconv"
	"strings"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

// print prints what was done, also where an error ended it.
func (s *session) print(asJSON bool, err error) {
	if asJSON {
		if err == nil {
			s.env.WriteJSON(s.write)
		}
	} else {
		s.printText()
	}
	for _, w := range term.FirstOf(s.warnings) {
		s.env.Warn(w)
	}
}

func (s *session) printText() {
	prefix := ""
	if s.options.DryRun {
		prefix = "dry run: "
	}
	for i, c := range s.changes {
		suffix := ""
		if s.commits[min(i, len(s.commits)-1)].Committed {
			suffix = " (" + planio.Shortened(s.commits[min(i, len(s.commits)-1)].Commit) + ")"
		}
		for _, e := range c.Events {
			s.env.Print(prefix + planio.EventText(e) + suffix)
		}
	}
	for _, it := range s.sent {
		s.env.Print(prefix + "sent " + it.item + " " + strings.Join(it.what, ", "))
	}
	if len(s.changes)+len(s.sent) == 0 {
		s.env.Print("nothing changed")
	}
}

// write writes {"committed", "commit", "reason", "changed", "sent": [{"item", "what"}], "warnings", "requests", "rateLeft"}.
func (s *session) write(w term.Sink) {
	committed, commit, reason := false, "", ""
	for _, r := range s.commits {
		committed = committed || r.Committed
		if r.Committed {
			commit = r.Commit
		}
		reason = r.Reason
	}
	var records []plan.Record
	for _, c := range s.changes {
		records = append(records, c.Records...)
	}
	out := term.Object{Sink: w}
	out.Boolean("committed", committed)
	out.StrOrNull("commit", commit)
	out.StrOrNull("reason", reason)
	out.Member("changed")
	term.WriteArray(w, len(records), func(i int) { w.WriteString(records[i].JSON()) })
	out.Member("sent")
	term.WriteArray(w, len(s.sent), func(i int) {
		item := term.Object{Sink: w}
		item.Str("item", s.sent[i].item)
		item.Member("what")
		term.WriteArray(w, len(s.sent[i].what), func(j int) { term.WriteString(w, s.sent[i].what[j]) })
		item.End()
	})
	out.Member("warnings")
	term.WriteArray(w, len(s.warnings), func(i int) { term.WriteString(w, s.warnings[i]) })
	out.Value("requests", strconv.Itoa(s.requests))
	if s.left >= 0 {
		out.Value("rateLeft", strconv.Itoa(s.left))
	}
	out.End()
}
