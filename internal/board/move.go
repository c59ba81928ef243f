package board

import (
	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/view"
)

// moveColumn selects a column to the right, or to the left where by is negative.
func (m *model) moveColumn(by int) tea.Cmd {
	m.column = min(max(m.column+by, 0), len(m.board.Columns)-1)
	m.focus = columnsPane
	m.keepVisible()
	return m.readTask()
}

// move selects what is below, or above where by is negative: a card, a line of the task, a link.
func (m *model) move(by int) tea.Cmd {
	l := m.layout()
	switch m.focus {
	case taskPaneFocus:
		m.task.top = min(max(m.task.top+by, 0), max(len(m.taskLines(l.task.width))-l.task.height, 0))
	case linksPaneFocus:
		m.links.move(by, l.links.height)
	default:
		m.cursors[m.column].at += by
		m.keepVisible()
		return m.readTask()
	}
	return nil
}

// page returns how far a page goes.
func (m *model) page() int {
	l := m.layout()
	switch m.focus {
	case taskPaneFocus:
		return max(l.task.height-1, 1)
	case linksPaneFocus:
		return max(l.links.height-1, 1)
	}
	return max(l.cards.height/l.card-1, 1)
}

// keepVisible has every cursor on a card, and what is selected on the screen.
func (m *model) keepVisible() {
	for i := range m.cursors {
		c := &m.cursors[i]
		c.at = min(max(c.at, 0), max(len(m.board.Columns[i].Cards)-1, 0))
	}
	l := m.layout()
	room := max(l.cards.height/l.card, 1)
	for i := range m.cursors {
		c, n := &m.cursors[i], len(m.board.Columns[i].Cards)
		c.top = min(max(c.top, c.at-room+1, 0), c.at, max(n-room, 0))
	}
	if len(l.columns) > 0 {
		m.keepColumnVisible()
		l = m.layout()
	}
	if m.focus == taskPaneFocus && l.task.width == 0 || m.focus == linksPaneFocus && l.links.height == 0 {
		m.focus = columnsPane
	}
}

// keepColumnVisible has the column that the user is in on the screen, and no room unused.
func (m *model) keepColumnVisible() {
	last := func() int {
		columns := m.layout().columns
		return columns[len(columns)-1].column
	}
	m.left = min(m.left, m.column)
	for last() < m.column {
		m.left++
	}
	for m.left > 0 {
		if m.left--; last() < len(m.board.Columns)-1 {
			m.left++
			return
		}
	}
}

// nextPane moves on to the next pane that is on the screen.
func (m *model) nextPane(by int) {
	l := m.layout()
	panes := []pane{}
	if len(l.columns) > 0 {
		panes = append(panes, columnsPane)
	}
	if l.task.width > 0 {
		panes = append(panes, taskPaneFocus)
	}
	if l.links.height > 0 {
		panes = append(panes, linksPaneFocus)
	}
	for i, p := range panes {
		if p == m.focus {
			m.focus = panes[(i+by+len(panes))%len(panes)]
			return
		}
	}
	m.focus = panes[0]
}

// open shows all about a task on the whole screen, or goes to the task of a link.
func (m *model) open() tea.Cmd {
	if m.focus == linksPaneFocus {
		if link, found := m.links.selected(); found {
			return m.jump(link.ID)
		}
		return nil
	}
	m.wide = !m.wide && m.card() != nil
	m.focus = columnsPane
	if m.wide {
		m.focus = taskPaneFocus
	}
	m.task.top = 0
	m.keepVisible()
	return nil
}

// back closes what was opened last.
func (m *model) back() tea.Cmd {
	switch {
	case m.wide:
		m.wide, m.focus, m.task.top = false, columnsPane, 0
	case m.focus != columnsPane:
		m.focus = columnsPane
	case m.filter != "":
		return m.setFilter("")
	case m.inPast():
		return m.goTo(0)
	}
	m.keepVisible()
	return nil
}

// jump selects the card of a task. One that the filter hides is shown: the filter is taken away.
func (m *model) jump(id string) tea.Cmd {
	if !m.selectCard(m.board, id) {
		if !m.selectCard(m.cards, id) {
			m.note = note{text: id + " is not on the board", bad: true}
			return nil
		}
		m.filter = ""
		m.board = m.cards
	}
	m.wide, m.focus = false, columnsPane
	m.keepVisible()
	return m.readTask()
}

// selectCard selects a card of a board, and reports whether it is there.
func (m *model) selectCard(b view.Board, id string) bool {
	for i, c := range b.Columns {
		for j, card := range c.Cards {
			if card.ID() == id {
				m.column, m.cursors[i].at = i, j
				return true
			}
		}
	}
	return false
}
