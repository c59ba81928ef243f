package planprint

import (
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
)

// A DiffPrinter shows a diff to people.
type DiffPrinter struct{ *term.Env }

// Print prints the changed records, then how else the plans differ.
func (p DiffPrinter) Print(d plandiff.Diff) {
	for _, r := range d.Records {
		p.record(r)
	}
	if d.Reordered {
		p.Env.Print("the order of the lines differs")
	}
	if d.Respelled {
		p.Env.Print("the JSON is spelled differently and means the same")
	}
}

func (p DiffPrinter) record(r plandiff.Record) {
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
	sign, colour := "~", term.Yellow
	switch r.Change {
	case plandiff.Added:
		sign, colour = "+", term.Green
	case plandiff.Removed:
		sign, colour = "-", term.Red
	}
	heading := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	p.PrintWrapped(2, term.Cell{Text: sign + " " + heading, Style: colour})
	for _, f := range r.Fields {
		p.Field(f)
	}
	if r.Change == plandiff.Added {
		p.added(shown)
	}
}

// added prints the fields of a new record that are not in its heading.
func (p DiffPrinter) added(r plan.Record) {
	for _, m := range r.Object().Members() {
		isHeading := m.Name == "t" || m.Name == "id" || m.Name == "name" ||
			m.Name == "desc" && r.Text("desc") == r.Name() ||
			m.Name == "reason" && r.Kind() == plan.KindReject || m.Name == "spec" && r.Kind() == plan.KindSpec
		if !isHeading {
			p.fieldLine(m.Name, term.Cell{Text: ShownValue(m.Value)})
		}
	}
}

// Field prints one field of a changed record.
func (p DiffPrinter) Field(f plandiff.Field) {
	var text []term.Cell
	switch {
	case f.Words != nil:
		text = p.Words(f.Words)
	case f.List != nil:
		text = p.list(*f.List)
	case f.Change() == plandiff.Added:
		text = []term.Cell{p.inserted(ShownValue(f.After))}
	case f.Change() == plandiff.Removed:
		text = []term.Cell{p.deleted(ShownValue(f.Before))}
	default:
		text = []term.Cell{p.deleted(ShownValue(f.Before)), {Text: " "}, p.inserted(ShownValue(f.After))}
	}
	p.fieldLine(f.Name, text...)
}

func (p DiffPrinter) fieldLine(name string, text ...term.Cell) {
	p.PrintWrapped(term.FieldIndent, append([]term.Cell{{Text: strings.Repeat(" ", term.FieldIndent) + term.Printable(name) + ": "}}, text...)...)
}

// Words returns a word diff with its changes marked.
func (p DiffPrinter) Words(spans []plandiff.Span) []term.Cell {
	cells := make([]term.Cell, len(spans))
	for i, s := range spans {
		switch s.Op {
		case plandiff.Delete:
			cells[i] = p.deleted(s.Text)
		case plandiff.Insert:
			cells[i] = p.inserted(s.Text)
		default:
			cells[i] = term.Cell{Text: s.Text}
		}
	}
	return cells
}

func (p DiffPrinter) list(c plandiff.ListChange) []term.Cell {
	var cells []term.Cell
	for _, s := range c.Removed {
		cells = append(cells, p.deleted(s), term.Cell{Text: " "})
	}
	for _, s := range c.Added {
		cells = append(cells, p.inserted(s), term.Cell{Text: " "})
	}
	if cells == nil {
		return []term.Cell{{Text: "in another order"}}
	}
	return cells[:len(cells)-1]
}

func (p DiffPrinter) deleted(text string) term.Cell { return p.marked(text, "[-", "-]", term.Red) }

func (p DiffPrinter) inserted(text string) term.Cell { return p.marked(text, "{+", "+}", term.Green) }

// marked shows a change by colour, or by brackets where there is none.
func (p DiffPrinter) marked(text, before, after string, s term.Style) term.Cell {
	if p.Colour {
		return term.Cell{Text: text, Style: s}
	}
	return term.Cell{Text: before + text + after}
}

// ShownValue returns a value as people see it: strings without quotes unless empty.
func ShownValue(v jsonl.Value) string {
	if list, ok := v.Strings(); ok && len(list) > 0 {
		return term.Printable(strings.Join(list, ", "))
	}
	if s, ok := v.Str(); ok && s != "" {
		return term.Printable(s)
	}
	return term.Printable(string(v))
}
