package layout

import (
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func spacing() Spacing { return Spacing{NodeWidth: 100, NodeGap: 10, LayerGap: 30, PartGap: 40} }

// drawGraph draws a graph, with cycles and edges that are there twice.
func drawGraph(t *rapid.T) Graph {
	n := rapid.IntRange(1, 40).Draw(t, "nodes")
	node := rapid.IntRange(0, n-1)
	edge := rapid.Custom(func(t *rapid.T) [2]int { return [2]int{node.Draw(t, "from"), node.Draw(t, "to")} })
	return Graph{
		Heights: rapid.SliceOfN(rapid.IntRange(10, 60), n, n).Draw(t, "heights"),
		Edges:   rapid.SliceOfN(edge, 0, 80).Draw(t, "edges"),
	}
}

// TestLayout guards what makes a layout readable: edges lead from a layer to a later one, nodes do not overlap, no edge runs through a
// node, every edge begins and ends where its nodes are, and all is within the picture.
func TestLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		l := Of(g, spacing())
		if want := normal(g); len(l.Edges) != len(want) {
			t.Fatalf("%d edges, want %d", len(l.Edges), len(want))
		}
		checkNodes(t, g, l)
		for _, e := range l.Edges {
			checkEdge(t, g, l, e)
		}
	})
}

func checkNodes(t *rapid.T, g Graph, l Layout) {
	for i, a := range l.Nodes {
		if a.X < 0 || a.Y < 0 || a.X+spacing().NodeWidth > l.Width || a.Y+g.Heights[i] > l.Height {
			t.Fatalf("node %d at %d, %d is not in the picture of %d × %d", i, a.X, a.Y, l.Width, l.Height)
		}
		for j, b := range l.Nodes[:i] {
			if a.X < b.X+spacing().NodeWidth && b.X < a.X+spacing().NodeWidth && a.Y < b.Y+g.Heights[j] && b.Y < a.Y+g.Heights[i] {
				t.Fatalf("nodes %d and %d overlap: %+v, %+v", i, j, a, b)
			}
		}
	}
}

func checkEdge(t *rapid.T, g Graph, l Layout, e Edge) {
	from, to := e.From, e.To
	if e.Reversed {
		from, to = to, from
	}
	if l.Nodes[from].Layer >= l.Nodes[to].Layer {
		t.Fatalf("edge %d → %d leads from layer %d to %d", from, to, l.Nodes[from].Layer, l.Nodes[to].Layer)
	}
	middle := func(i int) int { return l.Nodes[i].Y + g.Heights[i]/2 }
	first, last := e.Points[0], e.Points[len(e.Points)-1]
	if first != (Point{l.Nodes[from].X + spacing().NodeWidth, middle(from)}) || last != (Point{l.Nodes[to].X, middle(to)}) {
		t.Fatalf("edge %d → %d runs from %v to %v", from, to, first, last)
	}
	for i := 1; i < len(e.Points); i++ {
		a, b := e.Points[i-1], e.Points[i]
		if a.X > b.X || i%2 == 1 && a.Y != b.Y {
			t.Fatalf("edge %d → %d runs from %v to %v", from, to, a, b)
		}
		for n, node := range l.Nodes { // between the points, the edge stays within their rectangle
			if a.X < node.X+spacing().NodeWidth && node.X < b.X && min(a.Y, b.Y) < node.Y+g.Heights[n] && node.Y < max(a.Y, b.Y)+1 {
				t.Fatalf("edge %d → %d runs through node %d", from, to, n)
			}
		}
	}
}

// TestLayoutOfShuffled guards: the order of edges, and edges that are there twice, change nothing.
func TestLayoutOfShuffled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		want := Of(g, spacing())
		edges := rapid.Permutation(g.Edges).Draw(t, "shuffled")
		if got := Of(Graph{g.Heights, append(edges, g.Edges...)}, spacing()); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\nwant %+v", got, want)
		}
	})
}

// TestNoCycleIsReversed guards: an edge is reversed only where there is a cycle.
func TestNoCycleIsReversed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		for i, e := range g.Edges {
			g.Edges[i] = [2]int{max(e[0], e[1]), min(e[0], e[1])}
		}
		for _, e := range Of(g, spacing()).Edges {
			if e.Reversed {
				t.Fatalf("%d → %d is reversed", e.From, e.To)
			}
		}
	})
}

// TestFewerCrossings guards: no layout has more crossings than the order that it began with, and those that are counted are those
// that there are.
func TestFewerCrossings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		for _, p := range partsOf(len(g.Heights), normal(g)) {
			reversed := breakCycles(len(p.nodes), p.edges)
			r := rank(layersOf(len(p.nodes), p.edges), p.edges, reversed)
			before := r.crossings()
			if slow := slowCrossings(r); before != slow {
				t.Fatalf("%d crossings were counted, there are %d", before, slow)
			}
			if r.reduceCrossings(); r.crossings() > before {
				t.Fatalf("%d crossings, before that %d", r.crossings(), before)
			}
		}
	})
}

func slowCrossings(r *ranked) (n int) {
	var all [][3]int32 // layer, from, to
	for i := range r.layer {
		for _, to := range r.down.of(int32(i)) {
			all = append(all, [3]int32{r.layer[i], r.at[i], r.at[to]})
		}
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a[0] == b[0] && (a[1] < b[1] && a[2] > b[2] || a[1] > b[1] && a[2] < b[2]) {
				n++
			}
		}
	}
	return n
}

// TestTreeHasNoCrossings guards: what can be drawn without crossings, as a tree can, is.
func TestTreeHasNoCrossings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := Graph{Heights: slices.Repeat([]int{20}, rapid.IntRange(2, 60).Draw(t, "nodes"))}
		for i := 1; i < len(g.Heights); i++ {
			g.Edges = append(g.Edges, [2]int{rapid.IntRange(0, i-1).Draw(t, "parent"), i})
		}
		if l := Of(g, spacing()); l.Crossings > 0 {
			t.Fatalf("%d crossings", l.Crossings)
		}
	})
}

// largeGraph makes a graph of a plan: each node has edges from nodes before it, most of them near.
func largeGraph(nodes, edges, near int) Graph {
	random := rand.New(rand.NewPCG(1, 2))
	g := Graph{Heights: slices.Repeat([]int{46}, nodes)}
	for range edges {
		to := 1 + random.IntN(nodes-1)
		from := to - 1 - random.IntN(min(to, near))
		g.Edges = append(g.Edges, [2]int{from, to})
	}
	return g
}

// TestLargeLayouts prints how long layouts take, where GIT_RALPH_LAYOUTS is set.
func TestLargeLayouts(t *testing.T) {
	if os.Getenv("GIT_RALPH_LAYOUTS") == "" {
		t.Skip("GIT_RALPH_LAYOUTS is not set")
	}
	for _, it := range []struct{ nodes, edges, near int }{{200, 300, 20}, {10_000, 20_000, 10_000}, {10_000, 20_000, 200}, {10_000, 20_000, 20}, {10_000, 8_000, 50}, {10_000, 9_999, 1}} {
		g := largeGraph(it.nodes, it.edges, it.near)
		began := time.Now()
		l := Of(g, Spacing{220, 14, 60, 60})
		t.Logf("%+v: %v, %d crossings, %d × %d", it, time.Since(began), l.Crossings, l.Width, l.Height)
	}
}

func BenchmarkLayout(b *testing.B) {
	g := largeGraph(10_000, 20_000, 10_000)
	for b.Loop() {
		Of(g, Spacing{220, 14, 60, 60})
	}
}

// TestReduce guards: after Reduce the same nodes can be reached, and no edge is left that others imply.
func TestReduce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 150).Draw(t, "nodes") // more than the bits of a word
		var edges [][2]int
		for range rapid.IntRange(0, 300).Draw(t, "edges") {
			a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
			edges = append(edges, [2]int{max(a, b), min(a, b)})
		}
		kept := Reduce(n, edges)
		want := reached(n, edges)
		if !reflect.DeepEqual(reached(n, kept), want) {
			t.Fatal("other nodes can be reached")
		}
		for _, e := range kept {
			for via := range n {
				if via != e[0] && via != e[1] && want[e[0]][via] && want[via][e[1]] {
					t.Fatalf("%v is implied through %d", e, via)
				}
			}
		}
	})
}

// reached returns which nodes each node, which is greater than these, leads to.
func reached(n int, edges [][2]int) []map[int]bool {
	all := make([]map[int]bool, n)
	for i := range n {
		all[i] = map[int]bool{}
		for _, e := range edges {
			if e[0] == i && e[1] != i {
				all[i][e[1]] = true
				for to := range all[e[1]] {
					all[i][to] = true
				}
			}
		}
	}
	return all
}
