package layout

import (
	"cmp"
	"slices"
)

// A Graph is what is to be laid out. Nodes are named by their index. The order of edges does not matter; that of nodes decides what
// nothing else decides.
type Graph struct {
	Heights []int    // of the nodes, all of which have the same width
	Edges   [][2]int // from, to; one from a node to itself is left out, one that is there twice counts once
}

// Spacing is the size of what is drawn, in any unit.
type Spacing struct {
	NodeWidth int
	NodeGap   int // between nodes of one layer
	LayerGap  int // between layers, at least: it grows with the edges that lead through it
	PartGap   int // between parts that no edge connects
}

// A Layout is where everything is.
type Layout struct {
	Nodes         []Node
	Edges         []Edge // in the order of from and to
	Width, Height int
	Crossings     int // of edges
}

// A Node is where a node is.
type Node struct {
	X, Y  int // its upper left corner
	Layer int // from 0, within its part
}

// An Edge is where an edge is. Its points come in pairs: between the first and the second of a pair the edge runs straight from left to
// right, within a layer; from the second one to the next pair it crosses the gap between two layers. The first pair and the last are
// where it leaves and meets a node, each twice the same point. All edges of one node begin on a path that they share.
type Edge struct {
	From, To int
	Reversed bool // it is part of a cycle, and leads from right to left: its points begin at To
	Points   []Point
}

// A Point is a place of the picture.
type Point struct{ X, Y int }

// Of lays out a graph.
func Of(g Graph, s Spacing) Layout {
	edges := normal(g)
	l := Layout{Nodes: make([]Node, len(g.Heights)), Edges: make([]Edge, 0, len(edges))}
	var boxes []box
	var single []int
	for _, part := range partsOf(len(g.Heights), edges) {
		if len(part.nodes) == 1 {
			single = append(single, part.nodes[0])
			continue
		}
		b := s.place(&l, g.Heights, part)
		boxes = append(boxes, b)
	}
	s.pack(&l, g.Heights, boxes, single)
	slices.SortFunc(l.Edges, func(a, b Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return l
}

// normal returns the edges of a graph, sorted, each once, without those from a node to itself.
func normal(g Graph) [][2]int {
	edges := slices.Clone(g.Edges)
	slices.SortFunc(edges, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	edges = slices.Compact(edges)
	return slices.DeleteFunc(edges, func(e [2]int) bool { return e[0] == e[1] })
}

// A part is nodes that edges connect. The ends of its edges are places in nodes.
type part struct {
	nodes []int
	edges [][2]int32
}

// partsOf divides a graph into its parts, in the order of their first nodes.
func partsOf(n int, edges [][2]int) []part {
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, e := range edges {
		a, b := find(e[0]), find(e[1])
		root[max(a, b)] = min(a, b)
	}
	var parts []part
	at := make([]int, n) // of the part of a root; then the place of a node in its part
	for i := range n {
		r := find(i)
		if r == i {
			at[i] = len(parts)
			parts = append(parts, part{})
		}
	}
	place := make([]int32, n)
	for i := range n {
		p := &parts[at[find(i)]]
		place[i] = int32(len(p.nodes))
		p.nodes = append(p.nodes, i)
	}
	for _, e := range edges {
		p := &parts[at[find(e[0])]]
		p.edges = append(p.edges, [2]int32{place[e[0]], place[e[1]]})
	}
	return parts
}
