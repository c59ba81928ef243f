// Package dot writes graphs in the language of Graphviz.
package dot

import (
	"fmt"
	"strings"

	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// Graph writes a graph. Graphviz lays it out anew.
func Graph(g view.Graph) string {
	var b strings.Builder
	b.WriteString("digraph plan {\n\trankdir=LR;\n\tnode [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];\n\tedge [arrowsize=0.7];\n")
	for i, n := range g.Nodes {
		label := n.ID() + " " + string(n.Status)
		if n.Holder != "" {
			label += " · " + n.Holder
		}
		for _, line := range n.Lines {
			label += "\n" + line
		}
		fmt.Fprintf(&b, "\tn%d [label=%s, tooltip=%s%s];\n", i, lines(cut(label)), quote(cut(strings.Join(strings.Fields(view.Called(n.Name())), " "))), look(n))
	}
	for _, e := range g.Edges {
		style := ""
		if !e.Open {
			style = " [style=dashed]"
		}
		fmt.Fprintf(&b, "\tn%d -> n%d%s;\n", e.From, e.To, style)
	}
	b.WriteString("}\n")
	return b.String()
}

// look returns the attributes that show the kind and the status of a node.
func look(n view.GraphNode) string {
	shape := ""
	switch n.Kind() {
	case plan.KindIssue:
		shape = ", shape=octagon, style=solid"
	case plan.KindItem:
		shape = ", shape=component, style=solid"
	}
	return shape + ", color=" + quote(color(n.Status))
}

func color(s view.Status) string {
	switch s {
	case view.Ready:
		return "#0969da"
	case view.Blocked:
		return "#9a6700"
	case view.Claimed:
		return "#8250df"
	case view.Done:
		return "#1a7f37"
	case view.Landed:
		return "#0e7490"
	case view.Accepted, view.Decomposed:
		return "#59636e"
	}
	return "#cf222e"
}

// maxText is how many characters of a text are written: Graphviz reads no string of more than 16,384 bytes, and a character that is
// escaped has up to 11.
const maxText = 1000

// cut returns the beginning of a text that is too long for Graphviz.
func cut(text string) string {
	if runes := []rune(text); len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return text
}

// lines quotes a text in lines that begin on the left.
func lines(text string) string {
	parts := strings.Split(text, "\n")
	for i, line := range parts {
		quoted := quote(line)
		parts[i] = quoted[1 : len(quoted)-1]
	}
	return `"` + strings.Join(parts, `\l`) + `\l"`
}

// quote writes a string that means itself: Graphviz reads escape sequences such as \N, and entities such as &amp;.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;").Replace(mask.Printable(text)) + `"`
}
