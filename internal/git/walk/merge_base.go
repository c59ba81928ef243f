package walk

// MergeBase returns the position of the best common ancestor of the commits at two positions. It is not ok where there
// is none, or several, or where it may be one of the commits that are missing.
func (g *Graph) MergeBase(a, b int32) (base int32, ok bool) {
	fromA, fromB := g.Reached(a), g.Reached(b)
	further := make([]bool, len(g.Commits)) // common ancestors of which another one is a descendant
	for at := range g.Commits {
		common := fromA[at] && fromB[at]
		if common && !further[at] {
			if ok {
				return -1, false
			}
			base, ok = int32(at), true
		}
		for _, parent := range g.Parents(at) {
			switch {
			case parent >= 0:
				further[parent] = further[parent] || common
			case !common && (fromA[at] || fromB[at]):
				return -1, false
			}
		}
	}
	return base, ok
}
