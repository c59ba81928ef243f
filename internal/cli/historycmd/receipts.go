package historycmd

import (
	"strconv"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
)

// acceptances returns what may have receipts of what is printed.
func (h selection) acceptances() []*fold.Event {
	events := h.Events
	for _, life := range h.Tasks {
		events = append(events[:len(events):len(events)], life.Outcome)
	}
	return events
}

// evidenceMember writes the receipts of an event, if it has any.
func (h selection) evidenceMember(o *term.Object, e *fold.Event) {
	all := h.receipts[e]
	if len(all) == 0 {
		return
	}
	o.Member("evidence")
	term.WriteList(o.Sink, len(all), func(i int) {
		r, out := all[i], term.Object{Sink: o.Sink}
		out.Str("check", r.Line)
		out.Str("commit", r.Commit)
		out.Str("tree", r.Tree)
		out.Value("exit", strconv.Itoa(r.Exit))
		out.Value("ms", strconv.FormatInt(r.Took.Milliseconds(), 10))
		out.Str("output", r.Output)
		out.Str("at", r.At)
		out.Str("by", r.By)
		if r.Altered {
			out.Boolean("altered", true)
		}
		out.End()
	})
}
