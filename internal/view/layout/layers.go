package layout

import (
	"math"
	"slices"
)

// A links has the neighbours of each node on one side.
type links struct {
	start []int32
	all   []int32
}

// linksOf returns the neighbours that edges lead to from each of n nodes; with back, those that they come from.
func linksOf(n int, edges [][2]int32, back bool) links {
	from, to := 0, 1
	if back {
		from, to = 1, 0
	}
	l := links{make([]int32, n+1), make([]int32, len(edges))}
	for _, e := range edges {
		l.start[e[from]+1]++
	}
	for i := range n {
		l.start[i+1] += l.start[i]
	}
	next := slices.Clone(l.start)
	for _, e := range edges {
		l.all[next[e[from]]] = e[to]
		next[e[from]]++
	}
	return l
}

func (l links) of(i int32) []int32 { return l.all[l.start[i]:l.start[i+1]] }

// breakCycles reverses the edges that lead back to a node that is being visited. It returns which it has reversed.
func breakCycles(n int, edges [][2]int32) (reversed []bool) {
	const unseen, open, closed = 0, 1, 2
	reversed = make([]bool, len(edges))
	down := linksOf(n, edges, false)
	state := make([]uint8, n)
	next := slices.Clone(down.start[:n])
	for first := range int32(n) {
		if state[first] != unseen {
			continue
		}
		state[first] = open
		for stack := []int32{first}; len(stack) > 0; {
			i := stack[len(stack)-1]
			if next[i] == down.start[i+1] {
				state[i] = closed
				stack = stack[:len(stack)-1]
				continue
			}
			edge := next[i] // edges are sorted by where they begin, so the place of a link is that of its edge
			next[i]++
			switch to := down.all[edge]; state[to] {
			case unseen:
				state[to] = open
				stack = append(stack, to)
			case open:
				reversed[edge] = true
			}
		}
	}
	for i := range edges {
		if reversed[i] {
			edges[i][0], edges[i][1] = edges[i][1], edges[i][0]
		}
	}
	return reversed
}

// layersOf assigns nodes to layers: each as early as what it comes after allows, unless a layer is full; then as near to its
// neighbours as possible.
func layersOf(n int, edges [][2]int32) []int32 {
	up, down := linksOf(n, edges, true), linksOf(n, edges, false)
	full := max(12, int32(2*math.Sqrt(float64(n)))) // so that the picture of a wide graph is about as wide as high
	a := assignment{up: up, down: down, layer: make([]int32, n), count: make([]int32, n+1), full: full}
	order := topological(n, up, down)
	for _, i := range order {
		a.put(i, a.earliest(i))
	}
	for range 4 {
		moved := false
		for _, i := range slices.Backward(order) {
			moved = a.tighten(i) || moved
		}
		for _, i := range order {
			moved = a.tighten(i) || moved
		}
		if !moved {
			break
		}
	}
	return a.withoutEmpty()
}

// topological returns the nodes, each after those that edges lead to it from.
func topological(n int, up, down links) []int32 {
	missing := make([]int32, n)
	order := make([]int32, 0, n)
	for i := range int32(n) {
		if missing[i] = int32(len(up.of(i))); missing[i] == 0 {
			order = append(order, i)
		}
	}
	for at := 0; at < len(order); at++ {
		for _, to := range down.of(order[at]) {
			if missing[to]--; missing[to] == 0 {
				order = append(order, to)
			}
		}
	}
	return order
}

// An assignment assigns nodes to layers.
type assignment struct {
	up, down links
	layer    []int32
	count    []int32 // nodes of each layer
	full     int32   // how many a layer has at most
	gaps     []int32 // by layer, a later one that may not be full
}

func (a *assignment) earliest(i int32) (layer int32) {
	for _, from := range a.up.of(i) {
		layer = max(layer, a.layer[from]+1)
	}
	return layer
}

// latest returns the last layer that a node may be in.
func (a *assignment) latest(i int32) int32 {
	layer := int32(math.MaxInt32)
	for _, to := range a.down.of(i) {
		layer = min(layer, a.layer[to]-1)
	}
	return layer
}

// put puts a node into the first layer from a given one that is not full.
func (a *assignment) put(i, layer int32) {
	if a.gaps == nil {
		a.gaps = make([]int32, len(a.count)+1)
		for l := range a.gaps {
			a.gaps[l] = int32(l)
		}
	}
	for a.gaps[layer] != layer {
		a.gaps[layer] = a.gaps[a.gaps[layer]]
		layer = a.gaps[layer]
	}
	a.layer[i] = layer
	if a.count[layer]++; a.count[layer] >= a.full {
		a.gaps[layer] = layer + 1
	}
}

// tighten moves a node to where its edges are shorter, and reports whether it did. The edges that leave a node share a path, which
// is as long as the longest of them.
func (a *assignment) tighten(i int32) bool {
	from, to := a.earliest(i), a.latest(i)
	layer := to
	if len(a.down.of(i)) == 0 {
		layer = from
	}
	step := int32(1)
	if layer > a.layer[i] {
		step = -1
	}
	for ; layer != a.layer[i]; layer += step {
		if a.count[layer] < a.full {
			a.count[a.layer[i]]--
			a.count[layer]++
			a.layer[i] = layer
			return true
		}
	}
	return false
}

// withoutEmpty returns the layers, without those that have become empty.
func (a *assignment) withoutEmpty() []int32 {
	number := make([]int32, len(a.count))
	next := int32(0)
	for l, n := range a.count {
		if number[l] = next; n > 0 {
			next++
		}
	}
	for i := range a.layer {
		a.layer[i] = number[a.layer[i]]
	}
	return a.layer
}
