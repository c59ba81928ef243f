package board

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/view"
)

// A matchedMsg is the cards that match a filter.
type matchedMsg struct {
	filter string
	cards  *view.Column // the first column of the board that was filtered: which board that is
	board  view.Board
}

// setFilter shows the cards that match.
func (m *model) setFilter(text string) tea.Cmd {
	if m.filter = strings.TrimSpace(text); m.filter != "" {
		return m.match()
	}
	m.place(m.cards)
	return m.readTask()
}

// match finds the cards that match, beside the board: there may be many. What was typed meanwhile is matched afterwards.
func (m *model) match() tea.Cmd {
	if m.matching != "" {
		return nil
	}
	m.matching = m.filter
	filter, cards := m.filter, m.cards
	return func() tea.Msg {
		return matchedMsg{filter, &cards.Columns[0], cards.Filter(view.ParseFilter(filter))}
	}
}

// matched shows the cards that match, and goes on where the filter or the plan has changed meanwhile.
func (m *model) matched(msg matchedMsg) tea.Cmd {
	m.matching = ""
	if m.filter == "" {
		return nil
	}
	m.place(msg.board)
	if msg.filter != m.filter || msg.cards != &m.cards.Columns[0] {
		return tea.Batch(m.match(), m.readTask())
	}
	return m.readTask()
}

// askFilter asks what is to be shown, which the board shows as it is typed.
func (m *model) askFilter() tea.Cmd {
	before := m.filter
	p := &prompt{title: "Filter", low: true, help: helpWithFilter(m.filter)}
	p.text.insert(m.filter)
	p.changed = func(m *model, text string) tea.Cmd {
		p.help = helpWithFilter(text)
		return m.setFilter(text)
	}
	p.escape = func(m *model) tea.Cmd { return m.setFilter(before) }
	p.enter = func(m *model, text string) tea.Cmd {
		m.over = nil
		return m.setFilter(text)
	}
	m.over = p
	return nil
}

// helpWithFilter says what is wrong with a filter, else what one can be.
func helpWithFilter(text string) string {
	if err := view.ParseFilter(text).Err(); err != nil {
		return err.Error()
	}
	return "Words, or " + strings.Join(view.FilterFields(), ": ") + ": with a value. - leaves out what matches."
}
