package planprint

import (
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
)

// WriteMerged writes {"conflicts", "gave_way"}: the conflicts that a merge recorded, and the
// values that it discarded.
func WriteMerged(w term.Sink, result merge.Result) {
	o := term.Object{Sink: w}
	o.Member("conflicts")
	term.WriteList(w, len(result.Conflicts), func(i int) {
		c := term.Object{Sink: w}
		c.StrOrNull("id", result.Conflicts[i].ID)
		c.Value("field", string(jsonl.Quote(result.Conflicts[i].Field)))
		c.End()
	})
	o.Member("gave_way")
	term.WriteList(w, len(result.Discarded), func(i int) {
		l := term.Object{Sink: w}
		l.StrOrNull("id", result.Discarded[i].ID)
		l.Value("field", string(jsonl.Quote(result.Discarded[i].Field)))
		l.Value("value", result.Discarded[i].Value)
		l.Value("kept", result.Discarded[i].Kept)
		l.End()
	})
	o.End()
}
