package board

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// An overlay is in front of the board, and has the keys.
type overlay interface {
	pressed(*model, tea.KeyPressMsg) tea.Cmd
	paste(*model, string) tea.Cmd
	box(m *model, width int) box
	keys() [][2]string // for the last line, and what they do
	widest() int
}

// A box is what an overlay shows, in a frame.
type box struct {
	title   string
	scrolls bool // keys show the lines that do not fit
	low     bool // it leaves what is above it to be seen
	lines   [][]span
	top     int     // the first line that is shown, where there are more than fit
	cursor  *[2]int // column and line of the cursor; nil: it has none
}

// Widths of a box, in columns.
const (
	widestBox  = 74  // inside its frame
	widestHelp = 116 // likewise, of a list of two columns
	boxFrame   = 4
)

// boxWidth returns the room inside a box that is as wide as it may be. On a narrow screen it leaves nothing beside it.
func (m *model) boxWidth(widest int) int {
	if room := m.width - boxFrame; room < widest+8 {
		return room
	}
	return widest
}

// boxHeight returns how many lines of a box there is room for.
func (m *model) boxHeight() int { return m.height - 4 }

// drawOver draws the overlay over a frame.
func (m *model) drawOver(frame []string) ([]string, *tea.Cursor) {
	width := m.boxWidth(m.over.widest())
	b := m.over.box(m, width)
	room := min(len(b.lines), m.boxHeight())
	top := min(b.top, len(b.lines)-room)
	x, y := (m.width-width-boxFrame)/2, max((m.height-room-2)/3, 1)
	if b.low {
		y = max(m.height-room-3, 1)
	}
	lines := make([]string, 0, room+2)
	title := " " + b.title + " "
	lines = append(lines, m.boxLine(width, func(r *row) {
		r.add("╭─", 2, m.colours.accent)
		r.add(title, width, strong)
		r.add(strings.Repeat("─", max(width+3-r.used, 0))+"╮", width+boxFrame-r.used, m.colours.accent)
	}))
	for _, spans := range b.lines[top : top+room] {
		lines = append(lines, m.boxLine(width, func(r *row) {
			r.add("│ ", 2, m.colours.accent)
			for _, s := range spans {
				r.add(s.text, width+2-r.used, s.style)
			}
			r.to(width + 2)
			r.add(" │", 2, m.colours.accent)
		}))
	}
	more := ""
	if below := len(b.lines) - top - room; below > 0 || top > 0 {
		more = " … "
		if b.scrolls {
			more = " ↑↓ "
		}
	}
	lines = append(lines, m.boxLine(width, func(r *row) {
		r.add("╰"+strings.Repeat("─", width-m.method.StringWidth(more)), width+boxFrame, m.colours.accent)
		r.add(more, width, strong)
		r.to(r.used)
		r.add(strings.Repeat("─", max(width+3-r.used, 0))+"╯", width+boxFrame-r.used, m.colours.accent)
	}))
	for i, line := range lines {
		if at := y + i; at < len(frame) {
			frame[at] = m.lay(line, frame[at], x, width+boxFrame)
		}
	}
	if b.cursor == nil {
		return frame, nil
	}
	cursor := tea.NewCursor(x+2+b.cursor[0], y+1+b.cursor[1]-top)
	cursor.Shape = tea.CursorBar // the renderer would leave a block behind when the board ends
	return frame, cursor
}

func (m *model) boxLine(width int, draw func(*row)) string {
	r := m.newRow()
	draw(r)
	r.to(width + boxFrame)
	return r.String()
}

// lay lays a line over another one, from column x on.
func (m *model) lay(line, under string, x, width int) string {
	return cutLine(m.method, under, 0, x) + line + cutLine(m.method, under, x+width, m.width)
}

// cutLine returns the columns of a drawn line from one to another. Of a character that is only partly there, blanks are left.
func cutLine(method ansi.Method, line string, from, to int) string {
	var b strings.Builder
	style, at, written := "", 0, from
	for line != "" && at < to {
		if strings.HasPrefix(line, "\x1b[") {
			end := strings.IndexByte(line, 'm') + 1
			style, line = line[:end], line[end:]
			continue
		}
		text := line
		if end := strings.IndexByte(line, '\x1b'); end >= 0 {
			text = line[:end]
		}
		character, n := ansi.FirstGraphemeCluster(text, method)
		if at >= from && at+n <= to {
			b.WriteString(strings.Repeat(" ", at-written) + style + character + "\x1b[m")
			written = at + n
		}
		at, line = at+n, line[len(character):]
	}
	return b.String() + strings.Repeat(" ", max(to-written, 0))
}
