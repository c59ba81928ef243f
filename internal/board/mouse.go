package board

import (
	tea "charm.land/bubbletea/v2"
)

// A click is where the mouse was pressed last: pressed on the same card again, it opens it.
type click struct{ column, at int }

// wheelLines is how far a turn of the wheel moves.
const wheelLines = 3

// moused does what the mouse says.
func (m *model) moused(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if m.over != nil {
		if _, wheel := msg.(tea.MouseWheelMsg); wheel {
			return m.over.pressed(m, wheelKey(at.Button))
		}
		return nil
	}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheeled(at)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			m.note = note{}
			return m.clickedAt(at)
		}
	case tea.MouseMotionMsg:
		if l := m.layout(); at.Button == tea.MouseLeft && l.slider > 0 && at.Y == l.slider {
			return m.slideTo(at.X)
		}
	}
	return nil
}

// toggleMouse leaves the mouse to the terminal, or takes it back.
func (m *model) toggleMouse() tea.Cmd {
	m.mouseOff = !m.mouseOff
	m.note = note{text: "the mouse is the board's again"}
	if m.mouseOff {
		m.note.text = "the mouse is the terminal's, which selects text with it; M gives it back to the board"
	}
	return nil
}

func wheelKey(b tea.MouseButton) tea.KeyPressMsg {
	if b == tea.MouseWheelUp {
		return tea.KeyPressMsg{Code: tea.KeyUp}
	}
	return tea.KeyPressMsg{Code: tea.KeyDown}
}

// wheeled moves what is under the mouse, and leaves the user's place in the other panes.
func (m *model) wheeled(at tea.Mouse) tea.Cmd {
	by := wheelLines
	switch at.Button {
	case tea.MouseWheelDown:
	case tea.MouseWheelUp:
		by = -by
	default:
		return nil
	}
	l := m.layout()
	switch {
	case l.task.contains(at.X, at.Y):
		return m.moveIn(taskPaneFocus, by)
	case l.links.contains(at.X, at.Y):
		return m.moveIn(linksPaneFocus, by)
	}
	if i := m.columnAt(l, at.X); i >= 0 {
		m.column = i
		return m.moveIn(columnsPane, by/wheelLines)
	}
	return nil
}

// moveIn moves in a pane that may not have the keys.
func (m *model) moveIn(p pane, by int) tea.Cmd {
	kept := m.focus
	m.focus = p
	cmd := m.move(by)
	m.focus = kept
	return cmd
}

// columnAt returns the column at a place, -1 for none.
func (m *model) columnAt(l layout, x int) int {
	for _, s := range l.columns {
		if x >= s.x && x < s.x+s.width {
			return s.column
		}
	}
	return -1
}

func (m *model) clickedAt(at tea.Mouse) tea.Cmd {
	l := m.layout()
	switch {
	case l.slider > 0 && at.Y == l.slider:
		return m.slideTo(at.X)
	case l.task.contains(at.X, at.Y):
		m.focus = taskPaneFocus
		return nil
	case l.links.contains(at.X, at.Y):
		return m.clickedLink(m.links.top + at.Y - l.links.y - 1)
	}
	column := m.columnAt(l, at.X)
	if column < 0 || at.Y >= l.footer || at.Y == 0 {
		return nil
	}
	m.column, m.focus = column, columnsPane
	if at.Y >= l.cards.y {
		card := m.cursors[column].top + (at.Y-l.cards.y)/l.card
		if card >= len(m.board.Columns[column].Cards) {
			return m.readTask()
		}
		if now := (click{column, card}); m.clicked == now && m.cursors[column].at == card {
			m.clicked = click{-1, -1}
			return m.open()
		}
		m.clicked, m.cursors[column].at = click{column, card}, card
	}
	m.keepVisible()
	return m.readTask()
}

// clickedLink selects a link, and goes to its task where it was selected.
func (m *model) clickedLink(i int) tea.Cmd {
	if i < 0 || i >= len(m.links.entries) || m.links.entries[i].heading != "" {
		return nil
	}
	again := m.focus == linksPaneFocus && m.links.at == i
	m.focus, m.links.at = linksPaneFocus, i
	if again {
		return m.open()
	}
	return nil
}
