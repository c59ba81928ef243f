package layout

import "slices"

// What an edge weighs when nodes are moved to their neighbours: long edges are to be straight.
const (
	plainWeight = 1
	halfWeight  = 3 // between a node and a place of an edge
	longWeight  = 8 // between two places of one
)

// placeHeight is the height of the place of an edge.
const placeHeight = 4

// coordinates returns the middle of each node and place, from the top. Nodes are moved to where their neighbours are, layer by layer,
// back and forth; each time the whole layer is where it is best, given the other layer and its own order.
func (r *ranked) coordinates(gap int) []int64 {
	y := make([]int64, len(r.layer))
	for _, layer := range r.order {
		next := int64(0)
		for at, i := range layer {
			if at > 0 {
				next += r.distance(layer[at-1], i, gap)
			}
			y[i] = next
		}
	}
	for i := range r.layer {
		r.sortLinks(int32(i))
	}
	rounds := min(max(800_000/len(r.layer), 6), 30)
	for round := range rounds {
		both := round >= rounds-2 // in the end, the neighbours on both sides count
		if round%2 == 0 {
			for l := range r.order {
				r.move(y, l, gap, r.up, both)
			}
		} else {
			for l := len(r.order) - 1; l >= 0; l-- {
				r.move(y, l, gap, r.down, both)
			}
		}
	}
	return y
}

// sortLinks sorts the neighbours of a node by where they are.
func (r *ranked) sortLinks(i int32) {
	byPlace := func(a, b int32) int { return int(r.at[a] - r.at[b]) }
	slices.SortFunc(r.up.of(i), byPlace)
	slices.SortFunc(r.down.of(i), byPlace)
}

// distance returns how far the middles of two neighbours are from each other at least.
func (r *ranked) distance(a, b int32, gap int) int64 {
	if r.isPlace(a) && r.isPlace(b) {
		gap /= 2
	}
	return int64(r.heights[a]+r.heights[b]+1)/2 + int64(gap)
}

func (r *ranked) isPlace(i int32) bool { return int(i) >= r.nodes }

// A pool is nodes next to each other that are as near as they may be.
type pool struct {
	weight, sum int64 // of the wishes of its nodes
	nodes       int
}

func (p pool) mean() int64 { return roundDown(p.sum, p.weight) }

// roundDown divides, and rounds down also below zero.
func roundDown(a, b int64) int64 {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// move moves the nodes of a layer to where their neighbours are: by the least squares that keep order and distances. Pools of nodes
// that would overlap are joined until none do.
func (r *ranked) move(y []int64, l, gap int, side links, both bool) {
	layer := r.order[l]
	pools := make([]pool, 0, len(layer))
	offset := int64(0) // of a node from the first one, where all are as near as they may be
	for at, i := range layer {
		if at > 0 {
			offset += r.distance(layer[at-1], i, gap)
		}
		wish, weight := r.wish(y, i, side, both)
		p := pool{weight, weight * (wish - offset), 1}
		for len(pools) > 0 && pools[len(pools)-1].mean() > p.mean() {
			last := pools[len(pools)-1]
			p = pool{p.weight + last.weight, p.sum + last.sum, p.nodes + last.nodes}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	offset, at := 0, 0
	for _, p := range pools {
		start := p.mean()
		for range p.nodes {
			if at > 0 {
				offset += r.distance(layer[at-1], layer[at], gap)
			}
			y[layer[at]] = start + offset
			at++
		}
	}
}

// wish returns where a node is to be, and how much that weighs.
func (r *ranked) wish(y []int64, i int32, side links, both bool) (wish, weight int64) {
	if both {
		a, n := r.median(y, i, r.up.of(i))
		b, m := r.median(y, i, r.down.of(i))
		if n+m > 0 {
			return roundDown(a*n+b*m, n+m), n + m
		}
	} else if wish, weight = r.median(y, i, side.of(i)); weight > 0 {
		return wish, weight
	}
	return y[i], 1
}

// median returns the middle of where neighbours are, and what they weigh together.
func (r *ranked) median(y []int64, i int32, neighbours []int32) (middle, weight int64) {
	if len(neighbours) == 0 {
		return 0, 0
	}
	for _, n := range neighbours {
		switch {
		case r.isPlace(i) && r.isPlace(n):
			return y[n], longWeight // a place has one neighbour before it, and follows the path after it
		case r.isPlace(i) || r.isPlace(n):
			weight += halfWeight
		default:
			weight += plainWeight
		}
	}
	last := len(neighbours) - 1
	return roundDown(y[neighbours[last/2]]+y[neighbours[(last+1)/2]], 2), weight
}
