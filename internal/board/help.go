package board

import "strings"

// keyWidth is the room for keys in the help.
const keyWidth = 18

// help lists all keys.
func help() overlay {
	return &viewer{title: "Keys", width: widestHelp, lines: func(m *model, width int) [][]span {
		sections := bindings()
		if width < widestHelp {
			return m.helpOf(sections, width)
		}
		half := width/2 - 1
		left, right := m.helpOf(sections[:2], half), m.helpOf(sections[2:], half)
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

// helpOf lists the keys of sections, and after the first of all what the signs mean.
func (m *model) helpOf(sections []section, width int) (lines [][]span) {
	for _, s := range sections {
		if lines != nil {
			lines = append(lines, nil)
		}
		lines = append(lines, []span{{s.title, strong.and(m.colours.accent)}})
		for _, b := range s.bindings {
			keys := strings.Join(b.keys, " ")
			lines = append(lines, wrap(m.method, width, keyWidth, span{keys + strings.Repeat(" ", max(keyWidth-len(keys), 1)), strong}, span{b.text, plain})...)
		}
		for _, text := range s.notes {
			lines = append(lines, wrap(m.method, width, 0, span{text, m.colours.faint})...)
		}
	}
	return lines
}
