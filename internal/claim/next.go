package claim

// Candidates returns the ready tasks among which a worker picks one at random: the first 2 × (live + 1) of the highest priority,
// so that workers that start together do not all try the same one. ready is in the order of work, with the priority of each.
func Candidates[T any](ready []T, priority func(T) int, live int) []T {
	n := 0
	for n < len(ready) && n < 2*(live+1) && priority(ready[n]) == priority(ready[0]) {
		n++
	}
	return ready[:n]
}
