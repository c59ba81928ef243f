package layout

import "slices"

// reduceCrossings improves the order within layers: it goes through the layers, and back, and sorts each by where the neighbours of its
// nodes are in the layer before. Then neighbours change places where that helps. The best order that was found is kept.
func (r *ranked) reduceCrossings() {
	work := len(r.layer) + len(r.down.all)
	rounds := min(max(1_500_000/work, 6), 24)
	best, fewest := r.copyOrder(), r.crossings()
	idle := 0
	for round := 0; round < rounds && idle < 4 && fewest > 0; round++ {
		if round%2 == 0 {
			for l := 1; l < len(r.order); l++ {
				r.sortLayer(l, r.up, round%4 == 0)
			}
		} else {
			for l := len(r.order) - 2; l >= 0; l-- {
				r.sortLayer(l, r.down, round%4 == 1)
			}
		}
		if work < 30_000 {
			r.exchange(2)
		}
		idle++
		if n := r.crossings(); n < fewest {
			best, fewest, idle = r.copyOrder(), n, 0
		}
	}
	r.order = best
	for _, layer := range r.order {
		r.number(layer)
	}
	if fewest > 0 {
		r.exchange(min(600_000/work, 8))
	}
}

func (r *ranked) copyOrder() [][]int32 {
	order := make([][]int32, len(r.order))
	for i, layer := range r.order {
		order[i] = slices.Clone(layer)
	}
	return order
}

// sortLayer sorts a layer by the mean place of each node's neighbours on one side. One without neighbours stays where it is. Of
// equal nodes, the first stays first, or with flip the last comes first.
func (r *ranked) sortLayer(l int, side links, flip bool) {
	const (
		fraction  = 10 // bits of a mean after the point
		placeBits = 24 // the lowest bits of a key: the place now
		lowest    = 1<<placeBits - 1
	)
	layer := r.order[l]
	keys := make([]int64, len(layer))
	for at, i := range layer {
		mean := int64(at) << fraction
		if neighbours := side.of(i); len(neighbours) > 0 {
			sum := int64(0)
			for _, n := range neighbours {
				sum += int64(r.at[n])
			}
			mean = sum << fraction / int64(len(neighbours))
		}
		if keys[at] = mean<<placeBits | int64(at); flip {
			keys[at] = mean<<placeBits | int64(lowest-at)
		}
	}
	slices.Sort(keys)
	before := slices.Clone(layer)
	for at, key := range keys {
		place := key & lowest
		if flip {
			place = lowest - place
		}
		layer[at] = before[place]
	}
	r.number(layer)
}

// crossings counts the crossings of edges.
func (r *ranked) crossings() (n int) {
	widest := 0
	for _, layer := range r.order {
		widest = max(widest, len(layer))
	}
	tree := make([]int32, widest+1) // sums of how many edges ended so far, as a Fenwick tree
	var ends []int32
	for l := 0; l+1 < len(r.order); l++ {
		clear(tree)
		size, total := len(r.order[l+1]), 0
		for _, i := range r.order[l] {
			ends = r.places(ends[:0], r.down.of(i))
			for _, end := range ends {
				before := 0 // edges that end at or above it
				for at := end + 1; at > 0; at &= at - 1 {
					before += int(tree[at])
				}
				n += total - before
			}
			for _, end := range ends {
				for at := int(end) + 1; at <= size; at += at & -at {
					tree[at]++
				}
			}
			total += len(ends)
		}
	}
	return n
}

// places appends where nodes are in their layer, sorted.
func (r *ranked) places(to, nodes []int32) []int32 {
	for _, i := range nodes {
		to = append(to, r.at[i])
	}
	if len(to) > 1 {
		slices.Sort(to)
	}
	return to
}

// exchange lets neighbours in a layer change places where fewer edges cross so.
func (r *ranked) exchange(rounds int) {
	var upA, upB, downA, downB []int32
	for range rounds {
		better := false
		for _, layer := range r.order {
			for at := 1; at < len(layer); at++ {
				a, b := layer[at-1], layer[at]
				upA, upB = r.places(upA[:0], r.up.of(a)), r.places(upB[:0], r.up.of(b))
				downA, downB = r.places(downA[:0], r.down.of(a)), r.places(downB[:0], r.down.of(b))
				if inverted(upA, upB)+inverted(downA, downB) > inverted(upB, upA)+inverted(downB, downA) {
					layer[at-1], layer[at] = b, a
					r.at[a], r.at[b] = int32(at), int32(at-1)
					better = true
				}
			}
		}
		if !better {
			return
		}
	}
}

// inverted counts the pairs of which the first is greater than the second. Both lists are sorted.
func inverted(a, b []int32) (n int) {
	below := 0
	for _, x := range a {
		for below < len(b) && b[below] < x {
			below++
		}
		n += below
	}
	return n
}
