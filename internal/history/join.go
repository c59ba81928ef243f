package history

import (
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

// join makes one graph of the commits that are new and those that are kept and
// that a tip still reaches. Their order is that of a walk of all. It is not ok
// where what is kept cannot be read after all, or plans were looked for where a
// walk of all would not.
func (m *memory) join(v *visit) (ok bool) {
	g, notes, silent, ok := m.old.Fill(m.fresh)
	if !ok {
		return false
	}
	prepend(g, v.found, v.border)
	live, all := m.live(g)
	if !m.samePaths(g, live) {
		return false
	}
	if !all {
		notes = without(g, notes, live)
	}
	if !m.grown && !sorted(g.Commits) || !all && !sorted(g.Commits[m.fresh:]) {
		if m.followed() > 1 {
			return false // the places may be met in another order
		}
		notes = reorder(g, notes)
		m.grown = false
	}
	v.Graph, v.Notes, v.Silent = g, notes, silent
	return true
}

// prepend puts commits in the free places of a graph. Their parents that are not among them stand in it at border, counted
// from behind these places.
func prepend(g, fresh *git.Graph, border []int32) {
	n, from := len(fresh.Commits), int32(len(g.Links))
	g.Links = append(g.Links, fresh.Links...)
	for i, p := range g.Links[from:] {
		if p < 0 {
			g.Links[int(from)+i] = int32(n) + border[-1-p]
		}
	}
	copy(g.Commits, fresh.Commits)
	for i := range n {
		g.Commits[i].From += from
		g.Commits[i].To += from
	}
}

// followed returns to how many places the plan was followed.
func (m *memory) followed() int { return len(m.old.Paths) - len(m.Paths) }

// samePaths tells whether a walk of all would look for plans in the same places:
// the commits that moved it there are still live.
func (m *memory) samePaths(g *git.Graph, live []bool) bool {
	for i := m.fresh; m.followed() > 0 && i < len(live); i++ {
		parents := g.Parents(i)
		if !live[i] && len(parents) > 0 && g.Commits[i].Path != g.Commits[parents[0]].Path {
			return false
		}
	}
	return true
}

// live tells which commits a tip reaches, and whether all are.
func (m *memory) live(g *git.Graph) (live []bool, all bool) {
	live = make([]bool, len(g.Commits))
	for i := range m.fresh {
		live[i] = true
	}
	for _, id := range m.commits() {
		if at, known := m.old.Place(id); known {
			live[m.fresh+int(at)] = true
		}
	}
	all = true
	for i := range live {
		if !live[i] {
			all = false
			continue
		}
		for _, p := range g.Parents(i) {
			live[p] = true
		}
	}
	return live, all
}

// without leaves out what is not live.
func without(g *git.Graph, notes []*fold.Note, live []bool) []*fold.Note {
	places := make([]int32, len(live))
	n := 0
	for i := range live {
		if live[i] {
			places[i] = int32(n)
			g.Commits[n], notes[n] = g.Commits[i], notes[i]
			n++
		}
	}
	g.Commits = g.Commits[:n]
	shift(g, places)
	return notes[:n]
}

// shift gives commits the new positions of their parents.
func shift(g *git.Graph, places []int32) {
	for i, p := range g.Links {
		g.Links[i] = places[p]
	}
}

// allNewer tells whether every fresh commit is newer than every kept one: then
// all of them are listed first.
func (m *memory) allNewer(fresh *git.Graph) bool {
	newest := m.old.Newest()
	return !slices.ContainsFunc(fresh.Commits, func(c git.Walked) bool { return c.Time <= newest })
}

// sorted tells whether the order of commits is that in which they would stand if
// none were an ancestor of another: then it is the order of a walk.
func sorted(commits []git.Walked) bool {
	for i := 1; i < len(commits); i++ {
		if commits[i].Before(&commits[i-1]) {
			return false
		}
	}
	return true
}

func reorder(g *git.Graph, notes []*fold.Note) []*fold.Note {
	order := g.Order()
	places := make([]int32, len(order))
	for to, from := range order {
		places[from] = int32(to)
	}
	c, n := make([]git.Walked, len(order)), make([]*fold.Note, len(order))
	for to, from := range order {
		c[to], n[to] = g.Commits[from], notes[from]
	}
	g.Commits = c
	shift(g, places)
	return n
}
