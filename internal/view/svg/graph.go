package svg

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
	"git-ralph/internal/view/layout"
)

// Measures of a graph's picture, in pixels.
const (
	margin     = 24
	headHeight = 62 // of the title and the legend
	nodeStripe = 4  // the stripe in the colour of a node's status
	textLeft   = 30 // of a node's first line; the icon is before it
	textRight  = 10
)

// Graph draws a graph.
func Graph(g view.Graph, o Options) string {
	title := "Plan: " + kindsOf(g)
	about := aboutGraph(g)
	p := o.open("graph", max(g.Width, 560)+2*margin, g.Height+headHeight+2*margin, title, about)
	p.write(`<text class="heading" x="`, margin, `" y="`, margin+14, `">`, text(title), "</text>\n")
	p.legend(g)
	p.write(`<g transform="translate(`, margin, ` `, margin+headHeight, ")\">\n")
	p.edges(g, false)
	p.edges(g, true)
	for i := range g.Nodes {
		p.node(&g.Nodes[i])
	}
	p.write("</g>\n")
	return p.close()
}

// kindsOf says how many tasks, issues and items a graph has.
func kindsOf(g view.Graph) string {
	counts := map[plan.Kind]int{}
	for _, n := range g.Nodes {
		counts[n.Kind()]++
	}
	parts := []string{countOf(counts[plan.KindTask], "task")}
	for _, kind := range [...]plan.Kind{plan.KindIssue, plan.KindItem} {
		if counts[kind] > 0 {
			parts = append(parts, countOf(counts[kind], string(kind)))
		}
	}
	return strings.Join(parts, ", ")
}

// countOf returns a number with its noun.
func countOf(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// aboutGraph says what a graph shows, for those who do not see it.
func aboutGraph(g view.Graph) string {
	var parts []string
	for _, c := range g.Counts() {
		parts = append(parts, fmt.Sprintf("%d %s", c.Count, c.Status))
	}
	open := 0
	for _, e := range g.Edges {
		if e.Open {
			open++
		}
	}
	return strings.Join(parts, ", ") + ". Dependencies: " + strconv.Itoa(len(g.Edges)) + ", of which open: " + strconv.Itoa(open) + "."
}

// legend says what icons and colours stand for, and how many there are of each.
func (p *picture) legend(g view.Graph) {
	x, y := margin, margin+38
	for _, c := range g.Counts() {
		word := fmt.Sprintf("%d %s", c.Count, c.Status)
		p.icon(c.Status, x+6, y-4)
		p.write(`<text x="`, x+18, `" y="`, y, `">`, word, "</text>\n")
		x += 18 + 7*len(word) + 18
	}
}

// edges draws the edges that are open, or those that are not: those that begin at one node in one path, since they share parts of it.
func (p *picture) edges(g view.Graph, open bool) {
	class := "edge"
	if open {
		class = "edge open"
	}
	drawn := map[[2]layout.Point]bool{} // by the edges of one node
	begun, from := false, -1
	end := func() {
		if begun {
			p.write("\"/>\n")
		}
		begun = false
	}
	for _, e := range g.Edges {
		if e.Open != open {
			continue
		}
		if e.From != from {
			end()
			clear(drawn)
			from = e.From
			p.write(`<path class="`, class, `" data-from="`, text(g.Nodes[from].ID()), `" d="`)
			begun = true
		}
		p.edge(e, drawn)
	}
	end()
	p.arrows(g, open)
}

// edge draws what was not drawn yet of an edge. The last part ends at the arrow.
func (p *picture) edge(e view.GraphEdge, drawn map[[2]layout.Point]bool) {
	at := layout.Point{X: -1}
	for i := 1; i < len(e.Points); i++ {
		a, b := e.Points[i-1], e.Points[i]
		if a == b || drawn[[2]layout.Point{a, b}] {
			continue
		}
		drawn[[2]layout.Point{a, b}] = true
		if at != a {
			p.write("M", a.X, " ", a.Y)
		}
		at = b
		if a.Y == b.Y {
			if next := i + 1; next == len(e.Points) || e.Points[next].Y != b.Y || e.Points[next] == b || drawn[[2]layout.Point{b, e.Points[next]}] {
				p.write("H", b.X)
			}
			continue
		}
		middle := (a.X + b.X) / 2
		p.write("C", middle, " ", a.Y, " ", middle, " ", b.Y, " ", b.X, " ", b.Y)
	}
}

// arrows draws the heads of edges, one for each node that they lead to.
func (p *picture) arrows(g view.Graph, open bool) {
	class := "arrow"
	if open {
		class = "arrow open"
	}
	done := map[layout.Point]bool{}
	var d strings.Builder
	for _, e := range g.Edges {
		tip, back := e.Points[len(e.Points)-1], -8
		if e.Reversed {
			tip, back = e.Points[0], 8
		}
		if e.Open == open && !done[tip] {
			done[tip] = true
			fmt.Fprintf(&d, "M%d %dl%d -4v8z", tip.X, tip.Y, back)
		}
	}
	if d.Len() > 0 {
		p.write(`<path class="`, class, `" d="`, d.String(), "\"/>\n")
	}
}

// node draws a node: its icon, id and status, who works on it, and its name.
func (p *picture) node(n *view.GraphNode) {
	p.write(`<g class="node" data-id="`, text(n.ID()), `" transform="translate(`, n.X, " ", n.Y, `)"><title>`, text(aboutNode(n)), "</title>")
	p.write(`<rect class="box" width="`, n.Width, `" height="`, n.Height, `" rx="`, corner(n), `"/>`)
	p.write(`<rect class="`, classOf(n.Status), `" x="0" y="`, corner(n), `" width="`, nodeStripe, `" height="`, n.Height-2*corner(n), `"/>`)
	p.icon(n.Status, 18, 15)
	id := displaywidth.TruncateString(mask.Printable(n.ID()), 16, "…")
	p.write(`<text class="id strong" x="`, textLeft, `" y="19">`, text(id), "</text>")
	status := textLeft + 8 + 7*displaywidth.String(id)
	p.write(`<text class="status `, classOf(n.Status), `" x="`, status, `" y="19">`, string(n.Status), "</text>")
	room := n.Width - textRight - status - 8*len(n.Status) - 8
	if side := sideNote(n); side != "" && room > 40 {
		p.write(`<text class="faint end" x="`, n.Width-textRight, `" y="19">`, text(view.CutText(view.OneLine(side), room)), "</text>")
	}
	for i, line := range n.Lines {
		p.label("name", 12, n.Width-textRight, 36+15*i, line, view.RightToLeft(n.Name()))
	}
	p.write("</g>\n")
}

// corner returns the radius of a node's corners: items are rounder than tasks, issues have none.
func corner(n *view.GraphNode) int {
	switch n.Kind() {
	case plan.KindIssue:
		return 0
	case plan.KindItem:
		return 16
	}
	return 6
}

// sideNote returns what is on the right of a node's first line: who works on it, or what it belongs to.
func sideNote(n *view.GraphNode) string {
	switch {
	case n.Holder != "":
		return n.Holder
	case n.Conflict:
		return "conflict"
	case n.Kind() == plan.KindIssue:
		return "issue"
	case n.Item != "":
		return n.Item
	case n.Rejected > 0:
		return "rejected ×" + strconv.Itoa(n.Rejected)
	}
	return ""
}

// aboutNode says all that a node shows, and its whole name.
func aboutNode(n *view.GraphNode) string {
	parts := []string{n.ID(), string(n.Status)}
	if n.Holder != "" {
		parts = append(parts, "claimed by "+n.Holder)
	}
	if len(n.BlockedBy) > 0 {
		parts = append(parts, "waits for "+strings.Join(n.BlockedBy[:min(len(n.BlockedBy), 20)], ", "))
	}
	return strings.Join(parts, " · ") + ": " + strings.Join(strings.Fields(view.Called(n.Name())), " ")
}
