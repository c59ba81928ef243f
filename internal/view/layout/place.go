package layout

import (
	"cmp"
	"math"
	"slices"
)

// A box is a part that is laid out, with its upper left corner at 0, 0.
type box struct {
	width, height int
	nodes         []int
	edges         int // where its edges begin in the layout; they end where those of the next box begin
	count         int // of edges
}

// place lays out a part of a graph with edges.
func (s Spacing) place(l *Layout, heights []int, p part) box {
	reversed := breakCycles(len(p.nodes), p.edges)
	r := rank(layersOf(len(p.nodes), p.edges), p.edges, reversed)
	r.heights = make([]int32, len(r.layer))
	for i := range r.heights {
		if r.heights[i] = placeHeight; i < r.nodes {
			r.heights[i] = int32(heights[p.nodes[i]])
		}
	}
	r.reduceCrossings()
	l.Crossings += r.crossings()
	y := r.coordinates(s.NodeGap)
	b := box{nodes: p.nodes, edges: len(l.Edges), count: len(p.edges)}
	top, bottom := int64(math.MaxInt64), int64(math.MinInt64)
	for i, middle := range y {
		half := int64(r.heights[i]+1) / 2
		top, bottom = min(top, middle-half), max(bottom, middle+half)
	}
	x := s.columns(r)
	b.width, b.height = x[len(x)-1]+s.NodeWidth, int(bottom-top)
	for i, node := range p.nodes {
		l.Nodes[node] = Node{X: x[r.layer[i]], Y: int(y[i]-top) - heights[node]/2, Layer: int(r.layer[i])}
	}
	for e, edge := range p.edges {
		from, to := edge[0], edge[1]
		points := make([]Point, 0, 2*len(r.chains[e])+4)
		add := func(x1, x2 int, i int32) {
			points = append(points, Point{x1, int(y[i] - top)}, Point{x2, int(y[i] - top)})
		}
		right := x[r.layer[from]] + s.NodeWidth
		add(right, right, from)
		for _, i := range r.chains[e] {
			add(x[r.layer[i]], x[r.layer[i]]+s.NodeWidth, i)
		}
		add(x[r.layer[to]], x[r.layer[to]], to)
		if reversed[e] {
			from, to = to, from
		}
		l.Edges = append(l.Edges, Edge{From: p.nodes[from], To: p.nodes[to], Reversed: reversed[e], Points: points})
	}
	return b
}

// columns returns where each layer begins. Where many edges cross a gap, it is wider.
func (s Spacing) columns(r *ranked) []int {
	x := make([]int, len(r.order))
	for l := 1; l < len(x); l++ {
		edges := 0
		for _, i := range r.order[l] {
			edges += len(r.up.of(i))
		}
		x[l] = x[l-1] + s.NodeWidth + s.LayerGap + min(edges, 2*s.LayerGap)
	}
	return x
}

// pack puts boxes and single nodes into a picture that is a little wider than high: the boxes in rows, and below
// them the single nodes in columns.
func (s Spacing) pack(l *Layout, heights []int, boxes []box, single []int) {
	area, widest, tallest := 0, 0, 0
	for _, b := range boxes {
		area += (b.width + s.PartGap) * (b.height + s.PartGap)
		widest = max(widest, b.width)
	}
	for _, i := range single {
		tallest = max(tallest, heights[i])
	}
	singles := len(single) * (s.NodeWidth + s.NodeGap) * (tallest + s.NodeGap)
	room := max(widest, int(math.Sqrt(1.6*float64(area+singles))))
	s.packBoxes(l, boxes, room)
	if len(single) == 0 {
		return
	}
	if len(boxes) > 0 {
		l.Height += s.PartGap
	}
	room = max(l.Width, int(math.Sqrt(1.6*float64(singles))))
	columns := max(1, min((room+s.NodeGap)/(s.NodeWidth+s.NodeGap), len(single)))
	rows := (len(single) + columns - 1) / columns
	y := l.Height
	for at, i := range single {
		node := Node{X: at / rows * (s.NodeWidth + s.NodeGap), Y: y + at%rows*(tallest+s.NodeGap)}
		l.Nodes[i] = node
		l.Width, l.Height = max(l.Width, node.X+s.NodeWidth), max(l.Height, node.Y+heights[i])
	}
}

// packBoxes puts boxes into rows that are as high as their first box, the highest one; in a row, into columns, one below the other.
func (s Spacing) packBoxes(l *Layout, boxes []box, room int) {
	slices.SortStableFunc(boxes, func(a, b box) int { return cmp.Compare(b.height, a.height) })
	x, y, column, top, row := 0, 0, 0, 0, 0 // of a column its left edge, how far it is filled and its width; of a row its top and height
	for _, b := range boxes {
		switch {
		case column > 0 && y+b.height <= top+row && x+b.width <= room: // below the last one
		case column > 0 && x+column+s.PartGap+b.width <= room:
			x, y, column = x+column+s.PartGap, top, 0
		case column > 0:
			top += row + s.PartGap
			x, y, column, row = 0, top, 0, 0
		}
		b.shift(l, x, y)
		column, row = max(column, b.width), max(row, b.height)
		y += b.height + s.PartGap
		l.Width, l.Height = max(l.Width, x+b.width), max(l.Height, top+row)
	}
}

// shift moves a box to its place.
func (b box) shift(l *Layout, x, y int) {
	for _, i := range b.nodes {
		l.Nodes[i].X += x
		l.Nodes[i].Y += y
	}
	for e := range l.Edges[b.edges : b.edges+b.count] {
		points := l.Edges[b.edges+e].Points
		for i := range points {
			points[i].X += x
			points[i].Y += y
		}
	}
}
