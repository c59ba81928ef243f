package viewcmd

import (
	"strconv"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/view"
)

// writeGraph writes a graph for programs. Lengths are in pixels.
func writeGraph(w term.Sink, g view.Graph) {
	all := term.Object{Sink: w}
	all.Value("width", strconv.Itoa(g.Width))
	all.Value("height", strconv.Itoa(g.Height))
	all.Value("hidden", strconv.Itoa(g.Hidden))
	all.Member("nodes")
	term.WriteArray(w, len(g.Nodes), func(i int) { writeNode(w, &g.Nodes[i]) })
	all.Member("edges")
	term.WriteArray(w, len(g.Edges), func(i int) {
		e := &g.Edges[i]
		edge := term.Object{Sink: w}
		edge.Str("from", g.Nodes[e.From].ID())
		edge.Str("to", g.Nodes[e.To].ID())
		edge.Boolean("open", e.Open)
		if e.Reversed {
			edge.Boolean("reversed", true)
		}
		edge.Member("points")
		term.WriteList(w, len(e.Points), func(i int) {
			w.WriteString("[" + strconv.Itoa(e.Points[i].X) + ", " + strconv.Itoa(e.Points[i].Y) + "]")
		})
		edge.End()
	})
	all.End()
}

func writeNode(w term.Sink, n *view.GraphNode) {
	o := term.Object{Sink: w}
	o.Str("t", string(n.Kind()))
	o.Str("id", n.ID())
	o.Str("name", n.Name())
	o.Str("status", string(n.Status))
	o.StrIf("spec", n.Spec())
	o.StrIf("holder", n.Holder)
	o.StrIf("item", n.Item)
	o.List("blocked_by", n.BlockedBy)
	for _, it := range [...]struct {
		name  string
		value int
	}{{"layer", n.Layer}, {"x", n.X}, {"y", n.Y}, {"width", n.Width}, {"height", n.Height}} {
		o.Value(it.name, strconv.Itoa(it.value))
	}
	o.End()
}
