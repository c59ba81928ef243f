package planprint

import (
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plandiff"
)

// WriteDiffJSON writes a diff for programs. Records and values are written as their
// plans hold them.
func WriteDiffJSON(w term.Sink, before, after string, d plandiff.Diff) {
	o := term.Object{Sink: w}
	WriteDiffMembers(&o, before, after, d)
	o.End()
}

// WriteDiffMembers writes the members of WriteDiffJSON.
func WriteDiffMembers(o *term.Object, before, after string, d plandiff.Diff) {
	o.Str("before", before)
	o.Str("after", after)
	o.Member("changes")
	term.WriteArray(o.Sink, len(d.Records), func(i int) { writeRecordDiff(o.Sink, d.Records[i]) })
	o.Boolean("reordered", d.Reordered)
	o.Boolean("respelled", d.Respelled)
}

func writeRecordDiff(w term.Sink, r plandiff.Record) {
	o, shown := term.Object{Sink: w}, r.Shown()
	o.Str("change", string(r.Change))
	o.StrOrNull("t", string(shown.Kind()))
	o.StrOrNull("id", shown.ID())
	o.StrOrNull("name", shown.Name())
	o.Value("before", term.OrNull(strings.TrimSpace(r.Before.JSON())))
	o.Value("after", term.OrNull(strings.TrimSpace(r.After.JSON())))
	o.Member("fields")
	term.WriteList(w, len(r.Fields), func(i int) { WriteFieldDiff(w, r.Fields[i]) })
	o.End()
}

// WriteFieldDiff writes {"field", "before", "after", "words"}.
func WriteFieldDiff(w term.Sink, f plandiff.Field) {
	o := term.Object{Sink: w}
	o.Value("field", string(jsonl.Quote(f.Name)))
	o.Value("before", term.OrNull(string(f.Before)))
	o.Value("after", term.OrNull(string(f.After)))
	if f.Words != nil {
		o.Member("words")
		term.WriteList(w, len(f.Words), func(i int) {
			span := term.Object{Sink: w}
			span.Str("op", string(f.Words[i].Op))
			span.Str("text", f.Words[i].Text)
			span.End()
		})
	}
	o.End()
}
