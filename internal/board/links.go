package board

import (
	"git-ralph/internal/view"
)

// A linksPane is what a task waits for, and what needs it.
type linksPane struct {
	entries []linkEntry
	at, top int
}

// A linkEntry is a line: a heading, or a task.
type linkEntry struct {
	heading string // "" for a task
	link    view.Link
}

// set lists the links of a task.
func (p *linksPane) set(t *view.Task) {
	p.entries = nil
	if t == nil {
		return
	}
	group := func(heading string, links []view.Link) {
		if len(links) == 0 {
			return
		}
		p.entries = append(p.entries, linkEntry{heading: heading})
		for _, l := range links {
			p.entries = append(p.entries, linkEntry{link: l})
		}
	}
	group("Waits for", t.WaitsFor)
	group("Needed by", t.NeededBy)
	group("Decomposed into", t.DecomposedInto)
	if t.SupersededBy != nil {
		group("Superseded by", []view.Link{*t.SupersededBy})
	}
	p.at = min(max(p.at, 1), max(len(p.entries)-1, 0))
}

// shownLinks returns the links of the task that is selected, none before they were read.
func (m *model) shownLinks() []linkEntry {
	if m.task.id != idOf(m.card()) {
		return nil
	}
	return m.links.entries
}

// selected returns the link that is selected.
func (p *linksPane) selected() (view.Link, bool) {
	if p.at >= len(p.entries) || p.entries[p.at].heading != "" {
		return view.Link{}, false
	}
	return p.entries[p.at].link, true
}

// move selects a link further down, or up; height is that of the pane with its line.
func (p *linksPane) move(by, height int) {
	step := 1
	if by < 0 {
		step = -1
	}
	at := min(max(p.at+by, 0), len(p.entries)-1)
	for at > 0 && at < len(p.entries) && p.entries[at].heading != "" {
		at += step
	}
	if at > 0 && at < len(p.entries) {
		p.at = at
	}
	p.show(height)
}

// show has the selected link on the screen.
func (p *linksPane) show(height int) {
	room := max(height-1, 1)
	first := p.at
	if first == 1 { // with its heading
		first = 0
	}
	p.top = min(max(p.top, p.at-room+1, 0), first)
}

// draw draws a line of the pane.
func (p *linksPane) draw(m *model, r *row, y, width int) {
	i := p.top + y
	if i >= len(p.entries) {
		r.skip(width)
		return
	}
	e, end := p.entries[i], r.used+width
	if e.heading != "" {
		r.add(" "+e.heading, width, m.colours.faint)
		r.to(end)
		return
	}
	mark := " "
	if m.focus == linksPaneFocus && i == p.at {
		r.under, mark = m.colours.marked, "▌"
	}
	r.add(mark, 1, m.colours.accent)
	r.add(e.link.Status.Sign()+" ", 2, m.colours.status[e.link.Status])
	r.add(e.link.ID+"  ", min(18, end-r.used), m.colours.faint)
	r.add(view.Called(firstLine(e.link.Name)), end-r.used, plain)
	r.to(end)
	r.under = plain
}
