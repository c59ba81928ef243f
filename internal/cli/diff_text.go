package cli

import (
	"fmt"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
)

// A diffPrinter shows a diff to people.
type diffPrinter struct{ *Env }

func (p diffPrinter) print(d plandiff.Diff) {
	for _, r := range d.Records {
		p.record(r)
	}
	if d.Reordered {
		p.Env.print("the lines stand in another order")
	}
	if d.Respelled {
		p.Env.print("something is written in another way that means the same")
	}
}

func (p diffPrinter) record(r plandiff.Record) {
	shown := r.Shown()
	words := []string{string(shown.Kind()), shown.ID(), shown.Name()}
	switch shown.Kind() {
	case plan.KindSpec:
		words[2] = shown.Spec()
	case plan.KindReject:
		words[2] = shown.Text("reason")
	case "":
		words[0] = "record"
	}
	sign, colour := "~", yellow
	switch r.Change {
	case plandiff.Added:
		sign, colour = "+", green
	case plandiff.Removed:
		sign, colour = "-", red
	}
	heading := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	fmt.Fprintln(p.Out, p.paint(sign+" "+printable(heading), colour))
	for _, f := range r.Fields {
		p.field(f)
	}
	if r.Change == plandiff.Added {
		p.added(shown)
	}
}

// added shows the fields of a new record that its heading does not tell.
func (p diffPrinter) added(r plan.Record) {
	for _, m := range r.Object().Members() {
		isHeading := m.Name == "t" || m.Name == "id" || m.Name == "name" ||
			m.Name == "desc" && r.Text("desc") == r.Name() ||
			m.Name == "reason" && r.Kind() == plan.KindReject || m.Name == "spec" && r.Kind() == plan.KindSpec
		if !isHeading {
			fmt.Fprintf(p.Out, "    %s: %s\n", printable(m.Name), shownValue(m.Value))
		}
	}
}

// field shows one field of a changed record on one line.
func (p diffPrinter) field(f plandiff.Field) {
	var text string
	switch {
	case f.Words != nil:
		text = p.words(f.Words)
	case f.List != nil:
		text = p.list(*f.List)
	case f.Change() == plandiff.Added:
		text = p.inserted(shownValue(f.After))
	case f.Change() == plandiff.Removed:
		text = p.deleted(shownValue(f.Before))
	default:
		text = p.deleted(shownValue(f.Before)) + " " + p.inserted(shownValue(f.After))
	}
	fmt.Fprintf(p.Out, "    %s: %s\n", printable(f.Name), text)
}

func (p diffPrinter) words(spans []plandiff.Span) string {
	var b strings.Builder
	for _, s := range spans {
		switch text := printable(s.Text); s.Op {
		case plandiff.Delete:
			b.WriteString(p.deleted(text))
		case plandiff.Insert:
			b.WriteString(p.inserted(text))
		default:
			b.WriteString(text)
		}
	}
	return b.String()
}

func (p diffPrinter) list(c plandiff.ListChange) string {
	var parts []string
	for _, s := range c.Removed {
		parts = append(parts, p.deleted(printable(s)))
	}
	for _, s := range c.Added {
		parts = append(parts, p.inserted(printable(s)))
	}
	if parts == nil {
		return "in another order"
	}
	return strings.Join(parts, " ")
}

func (p diffPrinter) deleted(text string) string { return p.marked(text, "[-", "-]", red) }

func (p diffPrinter) inserted(text string) string { return p.marked(text, "{+", "+}", green) }

// marked shows a change by colour, or by brackets where there is none.
func (p diffPrinter) marked(text, before, after string, s style) string {
	if p.Colour {
		return p.paint(text, s)
	}
	return before + text + after
}

// shownValue writes a value for people: strings without quotes unless empty.
func shownValue(v jsonl.Value) string {
	if list, ok := v.Strings(); ok && len(list) > 0 {
		return printable(strings.Join(list, ", "))
	}
	if s, ok := v.Str(); ok && s != "" {
		return printable(s)
	}
	return printable(string(v))
}
