package board

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// tenth returns a tenth of the history, in moments.
func (p *past) tenth() int { return max(len(p.moments)/10, 1) }

// track returns the room for the slider's bar.
func (m *model) track() int { return max(m.width-4, 1) }

// drawSlider draws the bar: the beginning of the history on the left, now on the right.
func (m *model) drawSlider(r *row) {
	p, room := m.past, m.track()
	at := room - 1 - p.at*(room-1)/max(len(p.moments), 1)
	r.add("  ", 2, plain)
	r.add(strings.Repeat("━", at), room, m.colours.accent)
	r.add("●", 1, m.colours.accent)
	r.add(strings.Repeat("─", room-1-at), room, m.colours.line)
	r.to(m.width)
}

// drawMoment says which commit is shown.
func (m *model) drawMoment(r *row) {
	p := m.past
	one := p.moment()
	text := fmt.Sprintf("  %d of %d ", len(p.moments)-p.at+1, len(p.moments))
	r.add(text, m.width, strong)
	r.add("· "+one.time.In(m.data.Moment.Location()).Format("2006-01-02 15:04")+" · "+one.hex[:9]+" · ", m.width-r.used, m.colours.faint)
	switch {
	case p.failed != nil:
		r.add("cannot be read: "+p.failed.Error(), m.width-r.used, m.colours.bad)
	default:
		r.add(one.what, m.width-r.used, plain)
	}
	r.to(m.width)
}

// slideTo goes to the moment at a place of the bar.
func (m *model) slideTo(x int) tea.Cmd {
	room, n := m.track(), len(m.past.moments)
	at := min(max(x-2, 0), room-1)
	return m.goTo(max((room-1-at)*n/max(room-1, 1), 0))
}
