package history

import (
	"slices"

	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/record"
)

// combine makes one graph of the new commits and of the cached ones that a tip still reaches, with what they record, in the
// order of a complete walk. The error is errStale where the cache cannot be read after all, or has plans from paths at which
// a complete walk would not look.
func (m *cachedHistory) combine(v *newCommits) error {
	g, entries, ok := m.contents.Fill(m.fresh)
	if !ok {
		return errStale
	}
	prepend(g, v.found, v.boundary)
	live, all := m.live(g)
	if !m.samePaths(g, live) {
		return errStale
	}
	v.Graph = g
	fresh, err := v.Source.Entries(m.fresh)
	if err != nil {
		return err
	}
	copy(entries, fresh)
	if !all {
		entries = without(g, entries, live)
	}
	if !m.extended && !sorted(g.Commits) || !all && !sorted(g.Commits[m.fresh:]) {
		if m.followed() > 1 {
			return errStale // the places may be met in another order
		}
		entries = reorder(g, entries)
		m.extended = false
	}
	v.Entries = entries
	return nil
}

// prepend puts commits in the free places of a graph. Their parents that are not among them stand in it at boundary, counted
// from behind these places.
func prepend(g, fresh *walk.Graph, boundary []int32) {
	n, from := len(fresh.Commits), int32(len(g.Links))
	g.Links = append(g.Links, fresh.Links...)
	for i, p := range g.Links[from:] {
		if p < 0 {
			g.Links[int(from)+i] = int32(n) + boundary[-1-p]
		}
	}
	copy(g.Commits, fresh.Commits)
	for i := range n {
		g.Commits[i].From += from
		g.Commits[i].To += from
	}
}

// followed returns to how many places the plan was followed.
func (m *cachedHistory) followed() int { return len(m.contents.Paths) - len(m.Paths) }

// samePaths reports whether a walk of all would look for plans in the same places:
// the commits that moved it there are still live.
func (m *cachedHistory) samePaths(g *walk.Graph, live []bool) bool {
	for i := m.fresh; m.followed() > 0 && i < len(live); i++ {
		parents := g.Parents(i)
		if !live[i] && len(parents) > 0 && g.Commits[i].Path != g.Commits[parents[0]].Path {
			return false
		}
	}
	return true
}

// live returns which commits a tip reaches, and whether all are.
func (m *cachedHistory) live(g *walk.Graph) (live []bool, all bool) {
	live = make([]bool, len(g.Commits))
	for i := range m.fresh {
		live[i] = true
	}
	for _, id := range m.commits() {
		if at, known := m.contents.Place(id); known {
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

// without drops what is not live.
func without(g *walk.Graph, entries []*record.Entry, live []bool) []*record.Entry {
	places := make([]int32, len(live))
	n := 0
	for i := range live {
		if live[i] {
			places[i] = int32(n)
			g.Commits[n], entries[n] = g.Commits[i], entries[i]
			n++
		}
	}
	g.Commits = g.Commits[:n]
	for i, p := range g.Links {
		g.Links[i] = places[p]
	}
	return entries[:n]
}

// allNewer reports whether every fresh commit is newer than every kept one: then
// all of them are listed first.
func (m *cachedHistory) allNewer(fresh *walk.Graph) bool {
	newest := m.contents.Newest()
	return !slices.ContainsFunc(fresh.Commits, func(c walk.Commit) bool { return c.Time <= newest })
}

// sorted reports whether the order of commits is that in which they would stand if
// none were an ancestor of another: then it is the order of a walk.
func sorted(commits []walk.Commit) bool {
	for i := 1; i < len(commits); i++ {
		if commits[i].Before(&commits[i-1]) {
			return false
		}
	}
	return true
}

// reorder puts the commits of a graph in their order, and with them what they record.
func reorder(g *walk.Graph, entries []*record.Entry) []*record.Entry {
	sorted := make([]*record.Entry, len(entries))
	for to, from := range g.Sort() {
		sorted[to] = entries[from]
	}
	return sorted
}
