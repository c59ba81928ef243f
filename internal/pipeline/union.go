package pipeline

// A union holds disjoint sets of numbers: for each number, another one of its set, up to the root of the set.
type union []int

// newUnion returns n sets of one number each.
func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = i
	}
	return u
}

// root returns the number that stands for the set of i.
func (u union) root(i int) int {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

// join makes one set of those of i and j.
func (u union) join(i, j int) { u[u.root(i)] = u.root(j) }
