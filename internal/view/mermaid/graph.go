// Package mermaid writes views as Mermaid diagrams, which forges and editors draw in Markdown.
package mermaid

import (
	"fmt"
	"strings"

	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// Graph writes a graph as a flowchart. Mermaid lays it out anew, and draws a few hundred nodes at most by default.
func Graph(g view.Graph) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, n := range g.Nodes {
		label := string(n.Status)
		if n.Holder != "" {
			label += " · " + n.Holder
		}
		open, end := `["`, `"]`
		switch n.Kind() {
		case plan.KindIssue:
			open, end = `{{"`, `"}}`
		case plan.KindItem:
			open, end = `(["`, `"])`
		}
		fmt.Fprintf(&b, "    n%d%s%s %s", i, open, quote(n.ID()), quote(label))
		for _, line := range n.Lines {
			b.WriteString("<br>" + quote(line))
		}
		fmt.Fprintf(&b, "%s:::%s\n", end, classOf(n.Status))
	}
	for _, e := range g.Edges {
		arrow := "-->"
		if !e.Open {
			arrow = "-.->"
		}
		fmt.Fprintf(&b, "    n%d %s n%d\n", e.From, arrow, e.To)
	}
	for _, c := range [...][2]string{{"ready", "#0969da"}, {"blocked", "#bf8700"}, {"claimed", "#8250df"}, {"finished", "#1a7f37"}, {"ended", "#cf222e"}} {
		fmt.Fprintf(&b, "    classDef %s stroke:%s,stroke-width:2px\n", c[0], c[1])
	}
	return b.String()
}

func classOf(s view.Status) string {
	switch s {
	case view.Ready, view.Blocked, view.Claimed:
		return string(s)
	case view.Done, view.Landed, view.Accepted, view.Decomposed:
		return "finished"
	}
	return "ended"
}

// quote writes a text so that it means itself: what is not a letter, a digit or plain punctuation, as the number of a character. That
// is not read as HTML, Markdown or the end of the text.
func quote(text string) string {
	var b strings.Builder
	for _, r := range mask.Printable(text) {
		switch {
		case r >= 0x80, r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r == ' ', r == '.', r == ',', r == '-', r == '/', r == '?', r == '!', r == '(', r == ')':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
