package historytest

import (
	"math/rand/v2"
	"slices"
)

// DrawEndings draws what DrawByHand does, where tasks, tombstones and whole plans that are gone come back at times. In half
// of what it draws some messages have trailers.
func DrawEndings(seed uint64, size int) Drawn {
	d := &drawing{PCG: rand.NewPCG(seed, 3), branches: map[string]*commit{}, seen: map[string]bool{}, clock: 1_700_000_000, everyday: true, returns: true}
	d.dated = d.chance(2)
	if seed%2 == 0 {
		d.reported = 5
	}
	return d.byHand(seed, size)
}

// deleteAndRestore removes the plan from a branch, and brings it back.
func (h *byHand) deleteAndRestore() {
	name := h.topic()
	if name == "" || h.chance(3) {
		name = "main"
	}
	head := h.branches[name]
	gone := h.make([]*commit{head}, nil, head.path, []string{"Remove the plan"})
	back := h.make([]*commit{gone}, head.plan.clone(), head.path, []string{"Revert \"Remove the plan\""})
	h.ended[gone], h.ended[back] = map[string]string{}, map[string]string{}
	for _, id := range head.plan.those("task", isAny) {
		h.ended[gone][id], h.ended[back][id] = "cancelled", ""
	}
	h.put(name, gone, "commit: Remove the plan", h.lines[name])
	h.put(name, back, "revert: Revert", h.lines[name])
}

// revert undoes the last commit of a branch, and at times that again.
func (h *byHand) revert() {
	name := h.topic()
	if name == "" {
		name = "main"
	}
	for range 1 + h.IntN(2) {
		head := h.branches[name]
		if len(head.parents) != 1 || head.parents[0].plan == nil || head.plan == nil {
			return
		}
		before := head.parents[0]
		c := h.make([]*commit{head}, before.plan.clone(), head.path, []string{"Revert \"Work\"", "", "This reverts commit " + head.id + "."})
		ended := map[string]string{}
		for _, id := range head.plan.those("task", isAny) {
			if before.plan.find("task", id) < 0 {
				ended[id] = "any"
			}
		}
		for _, id := range before.plan.those("task", isAny) {
			if head.plan.find("task", id) < 0 {
				ended[id] = ""
			}
		}
		h.ended[c] = ended
		h.put(name, c, "revert: Revert", h.lines[name])
	}
}

// ends finds how tasks may have ended for the main line: in what led to it, squashed branches included, unless they came back
// behind that. Tasks that its own commits never had, as only squashed branches did, may have ended as they did for any branch.
func (h *byHand) ends() map[string][]string {
	main := h.branches["main"]
	ends, known := h.endsFor(main), map[string]bool{}
	for _, c := range missing(nil, main) {
		if c.plan != nil {
			for _, id := range c.plan.those("task", isAny) {
				known[id] = true
			}
		}
	}
	for _, name := range h.names() {
		for id, ways := range h.endsFor(h.branches[name]) {
			if !known[id] {
				ends[id] = append(ends[id], ways...)
			}
		}
	}
	return ends
}

// endsFor is ends for any commit alone.
func (h *byHand) endsFor(at *commit) map[string][]string {
	ends := map[string][]string{}
	line := h.origins(at)
	behind := map[*commit]map[*commit]bool{}
	for c := range line {
		behind[c] = h.origins(c)
	}
	for c := range line {
		for id, how := range h.ended[c] {
			cameBack := false
			for later := range line {
				again, about := h.ended[later][id]
				cameBack = cameBack || about && again == "" && later != c && behind[later][c] && later.has(id) && !later.parents[0].has(id)
			}
			if how != "" && !c.has(id) && !cameBack && !slices.Contains(ends[id], how) {
				ends[id] = append(ends[id], how)
			}
		}
	}
	return ends
}

// has reports whether a commit's plan has a task: a copy of a commit may have nothing to change.
func (c *commit) has(id string) bool { return c.plan != nil && c.plan.find("task", id) >= 0 }

// origins returns a commit with all that led to it.
func (h *byHand) origins(c *commit) map[*commit]bool {
	all := map[*commit]bool{}
	var visit func(*commit)
	visit = func(c *commit) {
		if c == nil || all[c] {
			return
		}
		all[c] = true
		visit(h.from[c])
		for _, p := range c.parents {
			visit(p)
		}
	}
	visit(c)
	return all
}
