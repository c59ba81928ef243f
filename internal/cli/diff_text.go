package cli

import (
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
	p.printWrapped(2, cell{sign + " " + heading, colour})
	for _, f := range r.Fields {
		p.field(f)
	}
	if r.Change == plandiff.Added {
		p.added(shown)
	}
}

// added shows the fields of a new record that its heading does not.
func (p diffPrinter) added(r plan.Record) {
	for _, m := range r.Object().Members() {
		isHeading := m.Name == "t" || m.Name == "id" || m.Name == "name" ||
			m.Name == "desc" && r.Text("desc") == r.Name() ||
			m.Name == "reason" && r.Kind() == plan.KindReject || m.Name == "spec" && r.Kind() == plan.KindSpec
		if !isHeading {
			p.fieldLine(m.Name, cell{text: shownValue(m.Value)})
		}
	}
}

// field shows one field of a changed record.
func (p diffPrinter) field(f plandiff.Field) {
	var text []cell
	switch {
	case f.Words != nil:
		text = p.words(f.Words)
	case f.List != nil:
		text = p.list(*f.List)
	case f.Change() == plandiff.Added:
		text = []cell{p.inserted(shownValue(f.After))}
	case f.Change() == plandiff.Removed:
		text = []cell{p.deleted(shownValue(f.Before))}
	default:
		text = []cell{p.deleted(shownValue(f.Before)), {text: " "}, p.inserted(shownValue(f.After))}
	}
	p.fieldLine(f.Name, text...)
}

func (p diffPrinter) fieldLine(name string, text ...cell) {
	p.printWrapped(fieldIndent, append([]cell{{text: strings.Repeat(" ", fieldIndent) + printable(name) + ": "}}, text...)...)
}

// fieldIndent is how far fields stand below their record.
const fieldIndent = 4

func (p diffPrinter) words(spans []plandiff.Span) []cell {
	cells := make([]cell, len(spans))
	for i, s := range spans {
		switch s.Op {
		case plandiff.Delete:
			cells[i] = p.deleted(s.Text)
		case plandiff.Insert:
			cells[i] = p.inserted(s.Text)
		default:
			cells[i] = cell{text: s.Text}
		}
	}
	return cells
}

func (p diffPrinter) list(c plandiff.ListChange) []cell {
	var cells []cell
	for _, s := range c.Removed {
		cells = append(cells, p.deleted(s), cell{text: " "})
	}
	for _, s := range c.Added {
		cells = append(cells, p.inserted(s), cell{text: " "})
	}
	if cells == nil {
		return []cell{{text: "in another order"}}
	}
	return cells[:len(cells)-1]
}

func (p diffPrinter) deleted(text string) cell { return p.marked(text, "[-", "-]", red) }

func (p diffPrinter) inserted(text string) cell { return p.marked(text, "{+", "+}", green) }

// marked shows a change by colour, or by brackets where there is none.
func (p diffPrinter) marked(text, before, after string, s style) cell {
	if p.Colour {
		return cell{text, s}
	}
	return cell{text: before + text + after}
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
