package board

import (
	"strings"

	"git-ralph/internal/cli/cardaction"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// drawFooter draws the last line: what was done last, or the keys that matter most.
func (m *model) drawFooter(r *row) {
	text, look := m.noteText()
	switch {
	case m.busy != "":
		r.add(" "+m.busy+"…", m.width, m.colours.accent)
	case m.over != nil:
		m.drawKeys(r, m.over.keys())
	case text != "":
		r.add(" "+text, m.width, look)
	case m.inPast():
		m.drawKeys(r, pastFooter())
	case m.focus != columnsPane:
		m.drawKeys(r, append([][2]string{{"esc", "back"}}, m.footer()...))
	default:
		m.drawKeys(r, m.footer())
	}
	r.to(m.width)
}

func (m *model) noteText() (string, style) {
	if m.note.bad {
		return "! " + m.note.text, m.colours.bad
	}
	return m.note.text, m.colours.good
}

// layNote lays a note that is longer than the last line over as many lines as it needs.
func (m *model) layNote(lines []string) {
	text, look := m.noteText()
	if m.busy != "" || m.method.StringWidth(shownText(m.method, text)) < m.width {
		return
	}
	all := wrap(m.method, m.width-2, 2, span{text, look})
	all = all[:min(len(all), len(lines)-2)]
	for i, spans := range all {
		r := m.newRow()
		r.skip(1)
		for _, s := range spans {
			r.add(s.text, m.width-r.used, s.style)
		}
		r.to(m.width)
		lines[len(lines)-len(all)+i] = r.String()
	}
}

// footer returns the keys that matter most: of the actions those that make sense for the card that is selected.
func (m *model) footer() [][2]string {
	keys := [][2]string{{"?", "keys"}, {"q", "quit"}, {"/", "filter"}, {"a", "add"}}
	offered := m.offered()
	first := min(len(offered), 3)
	keys = append(append(keys, offered[:first]...), [2]string{"u", "undo"})
	keys = append(append(keys, offered[first:]...), [2]string{"[", "past"})
	if c := m.card(); c != nil {
		keys = append(keys, [2]string{"tab", "pane"}, [2]string{"enter", "open"})
		if c.Kind() != plan.KindItem && c.Status != view.Accepted {
			keys = append(keys, [2]string{"p", "priority"})
		}
	}
	return keys
}

// offered returns the actions that make sense for the card that is selected, those first that are most likely wanted.
func (m *model) offered() (keys [][2]string) {
	c := m.card()
	if c == nil {
		return nil
	}
	t := &view.Task{Card: *c, InPlan: c.Status != view.Accepted || c.Kind() == plan.KindItem}
	for _, key := range strings.Split("rydxscCevTPYRXDK", "") {
		if a, found := cardaction.OfKey(key, c.Kind()); found && a.Offered(t) {
			keys = append(keys, [2]string{key, strings.ToLower(a.Title)})
		}
	}
	return keys
}

// pastFooter returns those where an older plan is shown.
func pastFooter() [][2]string {
	return [][2]string{{"?", "keys"}, {"q", "quit"}, {"[", "earlier"}, {"]", "later"}, {"{ }", "by a tenth"}, {"esc", "back to now"}, {"/", "filter"}, {"u", "undo it"}}
}

// drawKeys lists keys, as many as there is room for.
func (m *model) drawKeys(r *row, keys [][2]string) {
	for _, k := range keys {
		if r.used+m.method.StringWidth(k[0]+k[1])+3 > m.width {
			return
		}
		r.add(" "+k[0], m.width, strong)
		r.add(" "+k[1]+" ", m.width-r.used, m.colours.faint)
	}
}
