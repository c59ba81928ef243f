package cli

import (
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plandiff"
)

// writeDiffJSON writes a diff for programs. Records and values stand as their
// plans hold them.
func writeDiffJSON(w sink, before, after string, d plandiff.Diff) {
	o := object{sink: w}
	writeDiffMembers(&o, before, after, d)
	o.end()
}

func writeDiffMembers(o *object, before, after string, d plandiff.Diff) {
	o.str("before", before)
	o.str("after", after)
	o.member("changes")
	writeArray(o.sink, len(d.Records), func(i int) { writeRecordDiff(o.sink, d.Records[i]) })
	o.boolean("reordered", d.Reordered)
	o.boolean("respelled", d.Respelled)
}

func writeRecordDiff(w sink, r plandiff.Record) {
	o := object{sink: w}
	o.str("change", string(r.Change))
	o.strOrNull("t", string(r.Shown().Kind()))
	o.strOrNull("id", r.Shown().ID())
	o.strOrNull("name", r.Shown().Name())
	o.value("before", orNull(strings.TrimSpace(r.Before.JSON())))
	o.value("after", orNull(strings.TrimSpace(r.After.JSON())))
	o.member("fields")
	writeList(w, len(r.Fields), func(i int) { writeFieldDiff(w, r.Fields[i]) })
	o.end()
}

func writeFieldDiff(w sink, f plandiff.Field) {
	o := object{sink: w}
	o.value("field", string(jsonl.Quote(f.Name)))
	o.value("before", orNull(string(f.Before)))
	o.value("after", orNull(string(f.After)))
	if f.Words != nil {
		o.member("words")
		writeList(w, len(f.Words), func(i int) {
			span := object{sink: w}
			span.str("op", string(f.Words[i].Op))
			span.str("text", f.Words[i].Text)
			span.end()
		})
	}
	o.end()
}

// orNull is JSON for a value that may be missing.
func orNull(json string) string {
	if json == "" {
		return "null"
	}
	return json
}

// writeList writes an array of n small elements on one line.
func writeList(w sink, n int, element func(i int)) {
	w.WriteByte('[')
	for i := range n {
		if i > 0 {
			w.WriteString(", ")
		}
		element(i)
	}
	w.WriteByte(']')
}
