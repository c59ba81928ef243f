package text

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/mask"
	"git-ralph/internal/view"
)

// Graph writes a graph as a tree: each node once, below one of those that it waits for, with the others after its name.
func Graph(g view.Graph, o Options) []Line {
	if len(g.Nodes) == 0 {
		return []Line{{{Text: "nothing to show"}}}
	}
	t := tree{Options: o, g: g, below: make([][]int, len(g.Nodes)), others: make([][]string, len(g.Nodes))}
	t.connect()
	for _, n := range g.Nodes {
		t.idWidth = max(t.idWidth, min(len(n.ID()), 16))
		t.statusWidth = max(t.statusWidth, len(n.Status))
	}
	t.lines = append(t.lines, summary(g, o))
	for i := range g.Nodes {
		if t.parent[i] < 0 {
			t.add(i, 0, "", "", "")
		}
	}
	return t.lines
}

// summary says how many nodes there are of each status.
func summary(g view.Graph, o Options) Line {
	var l Line
	for i, c := range g.Counts() {
		if i > 0 {
			l = append(l, Span{Text: ", "})
		}
		l = append(l, Span{Text: fmt.Sprintf("%s %d %s", o.sign(c.Status), c.Count, c.Status), Status: c.Status})
	}
	return o.cut(l)
}

// A tree is a graph that is being written.
type tree struct {
	Options
	g                    view.Graph
	parent               []int // the node that each is below, -1 for none
	below                [][]int
	others               [][]string // ids of what each waits for too
	idWidth, statusWidth int
	lines                []Line
}

// connect puts each node below what it waits for: of several, below the one in the last layer, which comes last in the work.
func (t *tree) connect() {
	t.parent = make([]int, len(t.g.Nodes))
	for i := range t.parent {
		t.parent[i] = -1
	}
	for _, e := range t.g.Edges {
		if p := t.parent[e.To]; !e.Reversed && (p < 0 || t.g.Nodes[e.From].Layer > t.g.Nodes[p].Layer) {
			t.parent[e.To] = e.From
		}
	}
	for _, e := range t.g.Edges {
		if t.parent[e.To] == e.From {
			t.below[e.From] = append(t.below[e.From], e.To)
		} else {
			t.others[e.To] = append(t.others[e.To], t.g.Nodes[e.From].ID())
		}
	}
}

// What a line has room for besides a name.
const (
	deepest   = 12 // levels whose lines are drawn; what is deeper has its level as a number
	fewest    = 16 // columns of a name, at least
	maxOthers = 4  // ids of what it waits for too
)

// add writes a node and what is below it. Lead are the lines of the levels above it, own is what leads to itself, below what goes on
// to what follows it.
func (t *tree) add(i, level int, lead, own, below string) {
	n := &t.g.Nodes[i]
	l := Line{
		{Text: lead + own, Look: Faint},
		{Text: t.sign(n.Status) + " " + padded(n.ID(), t.idWidth), Status: n.Status, Look: Strong},
		{Text: "  " + padded(string(n.Status), t.statusWidth), Status: n.Status},
	}
	if level > deepest {
		l[0].Text = fmt.Sprintf("%s%d: ", lead, level)
	}
	if n.Holder != "" {
		l = append(l, Span{Text: "  " + mask.Printable(n.Holder), Look: Faint})
	}
	others := Span{Text: t.othersOf(i), Look: Faint}
	name := view.OneLine(view.Called(n.Name()))
	if t.Width > 0 {
		name = mask.PlainWidths(name)
		room := t.Width - displaywidth.String(l.String()) - 2 - displaywidth.String(others.Text)
		name = displaywidth.TruncateString(name, max(room, fewest), t.ellipsis())
	}
	t.lines = append(t.lines, t.cut(append(l, Span{Text: "  " + name}, others)))
	if level < deepest {
		lead += below
	}
	for at, child := range t.below[i] {
		if at < len(t.below[i])-1 {
			t.add(child, level+1, lead, t.pick("├─ ", "|- "), t.pick("│  ", "|  "))
		} else {
			t.add(child, level+1, lead, t.pick("└─ ", "`- "), "   ")
		}
	}
}

// othersOf names what a node waits for besides what it is below.
func (t *tree) othersOf(i int) string {
	ids := t.others[i]
	if len(ids) == 0 {
		return ""
	}
	text := t.pick(" ← ", " <- ") + mask.Printable(strings.Join(ids[:min(len(ids), maxOthers)], ", "))
	if len(ids) > maxOthers {
		text += fmt.Sprintf(" and %d more", len(ids)-maxOthers)
	}
	return text
}
