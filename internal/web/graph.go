package web

import (
	"context"

	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// A graph is the JSON of what waits for what, laid out: {"width", "height", "hidden", "nodes", "edges"}. Lengths are pixels; hidden is what the
// filter leaves out.
type graph struct{ view.Graph }

func (g graph) write(p *pieces) {
	nodes := array[graphNode]{len(g.Nodes), func(i int) graphNode { return newNode(&g.Nodes[i]) }}
	edges := array[graphEdge]{len(g.Edges), func(i int) graphEdge { return newEdge(&g.Edges[i]) }}
	object{{"width", g.Width}, {"height", g.Height}, {"hidden", g.Hidden}, {"nodes", nodes}, {"edges", edges}}.write(p)
}

type graphNode struct {
	ID     string      `json:"id"`
	Kind   plan.Kind   `json:"kind"`
	Name   string      `json:"name"`
	Status view.Status `json:"status"`
	Lines  []string    `json:"lines"`         // of the name
	RTL    bool        `json:"rtl,omitempty"` // it is written from right to left
	X      int         `json:"x"`
	Y      int         `json:"y"`
	Width  int         `json:"width"`
	Height int         `json:"height"`
}

type graphEdge struct {
	From     int   `json:"from"` // indexes of nodes
	To       int   `json:"to"`
	Open     bool  `json:"open,omitempty"`
	Reversed bool  `json:"reversed,omitempty"` // the points are from To to From
	Points   []int `json:"points"`             // x and y by turns
}

func newNode(n *view.GraphNode) graphNode {
	return graphNode{n.ID(), n.Kind(), view.Called(n.Name()), n.Status, n.Lines, view.RightToLeft(n.Name()), n.X, n.Y, n.Width, n.Height}
}

func newEdge(e *view.GraphEdge) graphEdge {
	one := graphEdge{From: e.From, To: e.To, Open: e.Open, Reversed: e.Reversed, Points: make([]int, 0, 2*len(e.Points))}
	for _, p := range e.Points {
		one.Points = append(one.Points, p.X, p.Y)
	}
	return one
}

// readGraph returns the graph of what matches the filter; pending alone, or of one task, if wanted.
func readGraph(_ context.Context, _ *place, d *view.Data, query func(string) string) (any, error) {
	return graph{d.Graph(view.GraphOptions{Filter: view.ParseFilter(query("q")), Open: query("pending") != "", Task: query("task"), Reduce: true})}, nil
}
