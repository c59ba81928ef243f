package layout

// Reduce returns the edges that no longer path implies: from a to c is left out where there is a path from a to c through others. In
// parts with cycles all edges stay. Edges are returned sorted, each once.
func Reduce(nodes int, edges [][2]int) [][2]int {
	const block = 64
	sorted := normal(Graph{Edges: edges})
	small := make([][2]int32, len(sorted))
	for i, e := range sorted {
		small[i] = [2]int32{int32(e[0]), int32(e[1])}
	}
	up, down := linksOf(nodes, small, true), linksOf(nodes, small, false)
	order := topological(nodes, up, down)
	if len(order) < nodes {
		return sorted
	}
	implied := make([]bool, len(sorted))
	reaches := make([]uint64, nodes) // which nodes of the block a node is, or leads to
	for first := int32(0); int(first) < nodes; first += block {
		clear(reaches)
		for at := len(order) - 1; at >= 0; at-- {
			i := order[at]
			var once, twice uint64 // nodes that one of its successors is or leads to, and that several do
			for _, to := range down.of(i) {
				twice |= once & reaches[to]
				once |= reaches[to]
			}
			for edge := down.start[i]; twice != 0 && edge < down.start[i+1]; edge++ {
				to := down.all[edge] - first
				implied[edge] = implied[edge] || to >= 0 && to < block && twice>>to&1 != 0
			}
			if reaches[i] = once; i >= first && i < first+block {
				reaches[i] |= 1 << (i - first)
			}
		}
	}
	kept := sorted[:0]
	for i, e := range sorted {
		if !implied[i] {
			kept = append(kept, e)
		}
	}
	return kept
}
