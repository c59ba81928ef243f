package layout

import "slices"

// A ranked is a part of a graph whose edges lead from each layer to the next one: where an edge spans several layers, it has a place
// of its own in those between. Such places are numbered after the nodes.
type ranked struct {
	nodes   int       // how many nodes there are; what follows are places of edges
	layer   []int32   // of nodes and places
	up      links     // to the layer before
	down    links     // to the next layer
	order   [][]int32 // nodes and places of each layer, from the top
	at      []int32   // where each is in its layer
	chains  [][]int32 // of each edge, the places that it runs through
	heights []int32
}

// rank gives a part's edges their places. The edges that leave a node share theirs, except those that are reversed.
func rank(layer []int32, edges [][2]int32, reversed []bool) *ranked {
	r := &ranked{nodes: len(layer), layer: layer, chains: make([][]int32, len(edges))}
	var short [][2]int32
	shared := make([][]int32, r.nodes) // the path of a node's edges
	for e, edge := range edges {
		from, to := edge[0], edge[1]
		var own []int32
		path := &shared[from]
		if reversed[e] {
			path = &own
		}
		need := int(r.layer[to] - r.layer[from] - 1)
		for len(*path) < need {
			before := from
			if n := len(*path); n > 0 {
				before = (*path)[n-1]
			}
			place := int32(len(r.layer))
			r.layer = append(r.layer, r.layer[before]+1)
			short = append(short, [2]int32{before, place})
			*path = append(*path, place)
		}
		r.chains[e] = (*path)[:need:need]
		last := from
		if need > 0 {
			last = (*path)[need-1]
		}
		short = append(short, [2]int32{last, to})
	}
	r.up, r.down = linksOf(len(r.layer), short, true), linksOf(len(r.layer), short, false)
	r.firstOrder()
	return r
}

// firstOrder puts the nodes of each layer into the order in which a search from the first layer finds them, so that what belongs
// together is together.
func (r *ranked) firstOrder() {
	r.order, r.at = make([][]int32, slices.Max(r.layer)+1), make([]int32, len(r.layer))
	seen := make([]bool, len(r.layer))
	var stack []int32
	for root := range int32(len(r.layer)) {
		if len(r.up.of(root)) > 0 {
			continue
		}
		for stack = append(stack, root); len(stack) > 0; {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[i] {
				continue
			}
			seen[i] = true
			r.order[r.layer[i]] = append(r.order[r.layer[i]], i)
			for _, to := range slices.Backward(r.down.of(i)) {
				if !seen[to] {
					stack = append(stack, to)
				}
			}
		}
	}
	for _, layer := range r.order {
		r.number(layer)
	}
}

// number notes where the nodes of a layer are.
func (r *ranked) number(layer []int32) {
	for at, i := range layer {
		r.at[i] = int32(at)
	}
}
