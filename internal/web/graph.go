package web

import (
	"context"

	"git-ralph/internal/view"
)

// A graph is the JSON of what waits for what, laid out. Lengths are pixels.
type graph struct {
	Width  int         `json:"width"`
	Height int         `json:"height"`
	Hidden int         `json:"hidden,omitempty"` // what the filter leaves out
	Nodes  []graphNode `json:"nodes"`
	Edges  []graphEdge `json:"edges"`
}

type graphNode struct {
	ID     string      `json:"id"`
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

// readGraph returns the graph of what matches the filter; pending alone, or of one task, if wanted.
func readGraph(_ context.Context, _ *place, d *view.Data, query func(string) string) (any, error) {
	g := d.Graph(view.GraphOptions{Filter: view.ParseFilter(query("q")), Open: query("pending") != "", Task: query("task"), Reduce: true})
	one := graph{Width: g.Width, Height: g.Height, Hidden: g.Hidden, Nodes: make([]graphNode, len(g.Nodes)), Edges: make([]graphEdge, len(g.Edges))}
	for i, n := range g.Nodes {
		one.Nodes[i] = graphNode{n.ID(), n.Name(), n.Status, n.Lines, view.RightToLeft(n.Name()), n.X, n.Y, n.Width, n.Height}
	}
	for i, e := range g.Edges {
		one.Edges[i] = graphEdge{From: e.From, To: e.To, Open: e.Open, Reversed: e.Reversed, Points: make([]int, 0, 2*len(e.Points))}
		for _, p := range e.Points {
			one.Edges[i].Points = append(one.Edges[i].Points, p.X, p.Y)
		}
	}
	return one, nil
}
