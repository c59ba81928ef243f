package board

import "strings"

// keyWidth is the room for keys in the help.
const keyWidth = 20

// help lists all keys.
func help() overlay {
	return &viewer{title: "Keys", width: widestHelp, lines: func(m *model, width int) [][]span {
		sections := bindings()
		if width < widestHelp {
			return m.helpOf(sections, width)
		}
		half := width/2 - 1
		left, right := m.helpOf(sections[:3], half), m.helpOf(sections[3:], half)
		lines := make([][]span, max(len(left), len(right)))
		for i := range lines {
			if i < len(left) {
				lines[i] = left[i]
			}
			used := 0
			for _, s := range lines[i] {
				used += m.method.StringWidth(s.text)
			}
			if i < len(right) {
				lines[i] = append(append(lines[i], span{strings.Repeat(" ", max(half+2-used, 0)), plain}), right[i]...)
			}
		}
		return lines
	}}
}

// helpLine says what a key does, or what a sign means.
func (m *model) helpLine(key, text string, width int) [][]span {
	room := min(keyWidth, width/3)
	return wrap(m.method, width, room, span{key + strings.Repeat(" ", max(room-m.method.StringWidth(key), 1)), strong}, span{text, plain})
}

// helpOf lists the keys of sections, and what their signs mean.
func (m *model) helpOf(sections []section, width int) (lines [][]span) {
	for _, s := range sections {
		if lines != nil {
			lines = append(lines, nil)
		}
		lines = append(lines, []span{{s.title, strong.and(m.colours.accent)}})
		for _, b := range s.bindings {
			lines = append(lines, m.helpLine(strings.Join(b.keys, " "), b.text, width)...)
		}
		for _, sign := range s.signs {
			lines = append(lines, m.helpLine(sign[0], sign[1], width)...)
		}
		for _, text := range s.notes {
			lines = append(lines, wrap(m.method, width, 0, span{text, m.colours.faint})...)
		}
	}
	return lines
}
