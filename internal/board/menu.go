package board

import (
	tea "charm.land/bubbletea/v2"
)

// A menu lets the user choose.
type menu struct {
	title   string
	choices []choice
	at      int
}

// A choice is a line of a menu; its key chooses it at once.
type choice struct {
	key  string
	text string
	do   func(*model) tea.Cmd
}

func (c *menu) pressed(m *model, k tea.KeyPressMsg) tea.Cmd {
	key := k.String()
	for _, one := range c.choices {
		if one.key == key {
			m.over = nil
			return one.do(m)
		}
	}
	switch key {
	case "esc", "ctrl+c", "q":
		m.over = nil
	case "up", "k", "shift+tab":
		c.at = (c.at + len(c.choices) - 1) % len(c.choices)
	case "down", "j", "tab":
		c.at = (c.at + 1) % len(c.choices)
	case "enter", "space":
		m.over = nil
		return c.choices[c.at].do(m)
	}
	return nil
}

func (c *menu) paste(*model, string) tea.Cmd { return nil }

func (*menu) keys() [][2]string {
	return [][2]string{{"↑↓", "choose"}, {"enter", "confirm"}, {"esc", "back"}}
}

func (*menu) widest() int { return widestBox }

func (c *menu) box(m *model, _ int) box {
	b := box{title: c.title, scrolls: true, top: max(c.at-m.boxHeight()+2, 0)}
	for i, one := range c.choices {
		mark, look := "  ", plain
		if i == c.at {
			mark, look = "▌ ", strong
		}
		b.lines = append(b.lines, []span{{mark, m.colours.accent}, {one.key, strong}, {"  " + one.text, look}})
	}
	return b
}

// lastTop returns the first line on the screen where an overlay shows its last one.
func (m *model) lastTop(o overlay) int {
	return max(len(o.box(m, m.boxWidth(o.widest())).lines)-m.boxHeight(), 0)
}

// A viewer shows lines that may be more than fit.
type viewer struct {
	title string
	width int // at most
	lines func(m *model, width int) [][]span
	top   int
}

func (v *viewer) pressed(m *model, k tea.KeyPressMsg) tea.Cmd {
	last := m.lastTop(v)
	switch k.String() {
	case "esc", "ctrl+c", "q", "enter", "?", "space":
		m.over = nil
	case "down", "j":
		v.top++
	case "up", "k":
		v.top--
	case "pgdown", "ctrl+f":
		v.top += m.boxHeight()
	case "pgup", "ctrl+b":
		v.top -= m.boxHeight()
	case "home", "g":
		v.top = 0
	case "end", "G":
		v.top = last
	}
	v.top = min(max(v.top, 0), last)
	return nil
}

func (*viewer) keys() [][2]string {
	return [][2]string{{"↑↓", "scroll"}, {"pgdown", "a page"}, {"esc", "back"}}
}

func (v *viewer) widest() int { return v.width }

func (v *viewer) paste(*model, string) tea.Cmd { return nil }

func (v *viewer) box(m *model, width int) box {
	return box{title: v.title, scrolls: true, lines: v.lines(m, width), top: v.top}
}
