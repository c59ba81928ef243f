package board

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/view"
)

// View draws a frame.
func (m *model) View() tea.View {
	v := tea.View{AltScreen: true, MouseMode: tea.MouseModeCellMotion}
	if m.mouseOff {
		v.MouseMode = tea.MouseModeNone
	}
	lines, cursor := m.frame()
	v.Content, v.Cursor = strings.Join(lines, "\n"), cursor
	return v
}

// frame returns the lines of a frame, and where the cursor is; nil: nowhere.
func (m *model) frame() (lines []string, cursor *tea.Cursor) {
	if m.width < smallestWidth || m.height < smallestLines {
		for _, text := range []string{"the window is too small", fmt.Sprintf("(%d×%d is needed)", smallestWidth, smallestLines)}[:min(m.height, 2)] {
			r := m.newRow()
			r.add(text, m.width, plain)
			lines = append(lines, r.String())
		}
		return lines, nil
	}
	l := m.layout()
	lines = make([]string, 0, m.height)
	add := func(draw func(*row)) {
		r := m.newRow()
		draw(r)
		lines = append(lines, r.String())
	}
	add(m.drawTitle)
	for y := 1; y < l.cards.y+l.cards.height; y++ {
		add(func(r *row) { m.drawBody(r, l, y) })
	}
	if l.slider > 0 {
		add(m.drawSlider)
		add(m.drawMoment)
	}
	add(m.drawFooter)
	if m.over != nil {
		return m.drawOver(lines)
	}
	m.layNote(lines)
	return lines, nil
}

// drawTitle draws the first line: which plan it is, and how much is shown of it.
func (m *model) drawTitle(r *row) {
	d := m.shown()
	counts := m.countSpans(d)
	room := m.width - 1
	for _, s := range counts {
		room -= m.method.StringWidth(s.text)
	}
	r.add(" git ralph ", room, strong.and(m.colours.accent))
	if d.Root != "" {
		r.add(filepath.Base(d.Root)+" ", room-1-r.used, strong)
	}
	if spec := d.Plan.Spec(); spec != "" {
		r.add(" "+spec, room-1-r.used, m.colours.faint)
	}
	r.to(room)
	for _, s := range counts {
		r.add(s.text, m.width-r.used, s.style)
	}
	r.to(m.width)
}

// countSpans says how many cards there are in each column, and which filter they match.
func (m *model) countSpans(d *view.Data) (spans []span) {
	if n := len(d.Workers); n > 0 && !m.inPast() {
		spans = append(spans, span{term.Plural(n, "worker") + "  ", m.colours.faint})
	}
	if m.unread != nil {
		spans = append(spans, span{"! not read  ", m.colours.bad})
	}
	if n := len(d.Warnings()); n > 0 {
		spans = append(spans, span{"! " + term.Plural(n, "warning") + "  ", m.colours.warn})
	}
	if m.filter != "" {
		filter := m.method.Truncate(shownText(m.method, m.filter), max(m.width/4, 8), "…")
		spans = append(spans, span{fmt.Sprintf("%d of %d match /%s  ", m.board.Len(), m.cards.Len(), filter), m.colours.warn})
	}
	for i, c := range m.board.Columns {
		look := m.colours.status[c.Status]
		if len(c.Cards) == 0 {
			look = m.colours.faint
		}
		if i == m.column {
			look = look.and(strong)
		}
		spans = append(spans, span{" " + c.Status.Sign() + strconv.Itoa(len(c.Cards)), look})
	}
	return spans
}

// drawBody draws a line of columns and panes.
func (m *model) drawBody(r *row, l layout, y int) {
	switch {
	case len(l.columns) == 0:
	case y < l.cards.y:
		m.drawHeadings(r, l)
	case m.board.Len() == 0:
		m.drawEmpty(r, l, y-l.cards.y)
	default:
		m.drawCards(r, l, y-l.cards.y)
	}
	if l.task.width == 0 {
		r.to(m.width)
		return
	}
	r.to(l.task.x - 1)
	look, edge, corner, line := m.colours.line, "│", "├", "─"
	if m.focus != columnsPane && (m.focus == linksPaneFocus) == (l.links.height > 0 && y >= l.links.y) {
		look, edge, corner, line = m.colours.accent, "┃", "┣", "━" // a pane that has the keys, without colour too
	}
	if l.links.height > 0 && y == l.links.y {
		edge = corner
	}
	if l.task.x > 0 {
		r.add(edge, 1, look)
	}
	switch {
	case y < l.task.y+l.task.height:
		m.drawTask(r, l, y-l.task.y)
	case y == l.links.y:
		r.add(strings.Repeat(line, l.links.width), l.links.width, look)
	default:
		m.links.draw(m, r, y-l.links.y-1, l.links.width)
	}
}

func headingOf(c view.Column) string {
	return fmt.Sprintf("%s %s %d", c.Status.Sign(), titleOf(c.Status), len(c.Cards))
}

// placeIn returns the heading of a column: of the one that the user is in, where not all of its cards fit, with the place of the card.
func (m *model) placeIn(l layout, s slot) string {
	c := m.board.Columns[s.column]
	if n := len(c.Cards); s.column == m.column && n > l.cards.height/l.card {
		text := fmt.Sprintf("%s %s %d/%d", c.Status.Sign(), titleOf(c.Status), m.cursors[s.column].at+1, n)
		if m.method.StringWidth(text) < s.width {
			return text
		}
	}
	return headingOf(c)
}

// drawHeadings draws the headings of the columns, and whether there are more on either side.
func (m *model) drawHeadings(r *row, l layout) {
	for i, s := range l.columns {
		c := m.board.Columns[s.column]
		r.to(s.x)
		look := m.colours.status[c.Status]
		if len(c.Cards) == 0 {
			look = m.colours.faint
		}
		if s.column == m.column {
			look = look.and("1;4")
		}
		before := " "
		if i == 0 && s.column > 0 {
			before = "‹"
		}
		r.add(before, 1, strong)
		r.add(m.placeIn(l, s), s.width-1, look)
		if c.Status == view.Accepted && !m.board.Complete {
			r.add(" …", s.x+s.width-r.used, m.colours.faint)
		}
		r.to(s.x + s.width)
	}
	if l.hides(m) {
		r.to(l.cards.width - 1)
		r.add("›", 1, strong)
	}
	r.to(l.cards.width)
}

// drawCards draws a line of the cards that are on the screen.
func (m *model) drawCards(r *row, l layout, y int) {
	for _, s := range l.columns {
		r.to(s.x)
		c := m.board.Columns[s.column]
		at := m.cursors[s.column].top + y/l.card
		if at >= len(c.Cards) {
			r.skip(s.width)
			continue
		}
		m.drawCard(r, s, c.Cards[at], at, y%l.card, l.card-1)
	}
	r.to(l.cards.width)
}

// drawCard draws a line of a card: of its name, which has so many lines at most, or what there is to know of it in a few words.
func (m *model) drawCard(r *row, s slot, c *view.Card, at, line, limit int) {
	end := s.x + s.width
	mark, look, edge := " ", plain, plain
	if s.column == m.column && at == m.cursors[s.column].at {
		r.under, mark, look, edge = m.colours.marked, "▌", strong, m.colours.accent
		if m.focus != columnsPane {
			r.under, mark, edge = m.colours.resting, "▏", m.colours.faint
		}
	}
	r.add(mark, 1, edge)
	sign, signLook := m.colours.prioritySymbol(c.Priority())
	if sign != "" {
		sign += " "
	}
	left := r.used + m.method.StringWidth(sign)
	switch name := m.nameLines(firstLine(nameOf(c)), end-left, limit); {
	case line == 0:
		r.add(sign, end-r.used, signLook)
		r.add(name[0], end-r.used, look)
	case line < len(name):
		r.to(left)
		r.add(name[line], end-r.used, look)
	case line == len(name):
		r.add(c.ID(), end-r.used, m.colours.faint)
		for _, part := range m.partsOf(c) {
			if r.used+1+m.method.StringWidth(part.text) > end && r.used+fewestOfPart > end {
				r.add(" …", end-r.used, m.colours.faint)
				break
			}
			r.add(" ", end-r.used, plain)
			r.add(part.text, end-r.used, part.style)
		}
	}
	r.to(end)
	r.under = plain
}

// nameLines breaks a name into so many lines at most.
func (m *model) nameLines(name string, width, limit int) (lines []string) {
	name = shownText(m.method, name)
	if limit == 1 || m.method.StringWidth(name) <= width {
		return []string{name}
	}
	name = m.method.Truncate(name, width*(limit+1), "") // more is never seen
	for _, spans := range wrap(m.method, width, 0, span{name, plain}) {
		text := ""
		for _, s := range spans {
			text += s.text
		}
		if len(lines) == limit {
			lines[limit-1] += " " + strings.TrimSpace(text) // of which the row shows that it goes on
			break
		}
		lines = append(lines, text)
	}
	return lines
}

// drawEmpty says what to do where there are no cards.
func (m *model) drawEmpty(r *row, l layout, y int) {
	lines := []string{"", " Nothing is planned here.", "", " a  adds a task", " A  adds an issue or an item", " ?  lists all keys"}
	switch {
	case m.filter != "":
		lines = []string{"", " Nothing matches /" + m.filter, "", " esc  shows all", " /    changes it, and says what there is"}
	case m.inPast():
		lines = []string{"", " Nothing was planned then."}
	case m.shown().Plan.Spec() == "":
		lines[3] = " S  sets the spec, which tasks need; then a adds a task"
	}
	if y < len(lines) {
		r.add(lines[y], l.cards.width, m.colours.faint)
	}
	r.to(l.cards.width)
}

// nameOf returns what a card is called.
func nameOf(c *view.Card) string { return view.Called(c.Name()) }

func firstLine(text string) string { return term.FirstLineOf(text) }
