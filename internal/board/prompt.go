package board

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"git-ralph/internal/mask"
)

// A prompt asks for a text. What was typed stays until it was used, or the user lets it go.
type prompt struct {
	title   string
	help    string // what is expected
	text    input
	lines   bool                                // it may have several lines
	low     bool                                // it is at the bottom, so that cards are seen above it
	changed func(m *model, text string) tea.Cmd // called at each change; nil: nothing
	enter   func(m *model, text string) tea.Cmd // it closes the prompt, or an action does that it starts
	escape  func(m *model) tea.Cmd              // nil: nothing is taken back
	number  int                                 // of the action
	waiting bool                                // for the action
	failure *failure                            // of the action
}

func (p *prompt) pressed(m *model, k tea.KeyPressMsg) tea.Cmd {
	switch key := k.String(); {
	case key == "esc" || key == "ctrl+c":
		m.over = nil
		if p.escape != nil {
			return p.escape(m)
		}
		return nil
	case p.waiting:
		return nil
	case key == "enter":
		p.failure = nil
		return p.enter(m, p.text.String())
	case p.lines && (key == "alt+enter" || key == "ctrl+j" || key == "shift+enter"):
		p.text.insert("\n")
	case p.failure != nil && key == "ctrl+f" && len(p.failure.flags) > 0:
		a := p.failure.action.with(p.failure.flags[0])
		return p.start(m, a)
	default:
		if !p.text.pressed(k) {
			return nil
		}
	}
	return p.edited(m)
}

func (p *prompt) edited(m *model) tea.Cmd {
	if p.changed == nil {
		return nil
	}
	return p.changed(m, p.text.String())
}

// start runs the action that the prompt is for, and closes the prompt when it has succeeded.
func (p *prompt) start(m *model, a action) tea.Cmd {
	cmd := m.do(a)
	p.waiting, p.number, p.failure = true, m.actions, nil
	return cmd
}

// paste inserts a text. A prompt of one line makes blanks of line breaks.
func (p *prompt) paste(m *model, text string) tea.Cmd {
	if p.waiting {
		return nil
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ").Replace(strings.ToValidUTF8(text, ""))
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && p.lines:
			return r
		case r == '\n':
			return ' '
		case mask.IsControl(r):
			return -1
		}
		return r
	}, text)
	p.text.insert(text)
	return p.edited(m)
}

func (p *prompt) keys() [][2]string {
	keys := [][2]string{{"enter", "confirm"}, {"esc", "back"}}
	if p.lines {
		keys = append(keys, [2]string{"alt+enter", "new line"})
	}
	if p.failure != nil {
		keys[0][1] = "again"
	}
	return keys
}

func (*prompt) widest() int { return widestBox }

func (p *prompt) box(m *model, width int) box {
	b := box{title: p.title, low: p.low, lines: wrapInput(m.method, width-1, p.text.String())}
	typed := wrapInput(m.method, width-1, p.text.before)
	b.cursor = &[2]int{m.method.StringWidth(typed[len(typed)-1][0].text), len(typed) - 1}
	b.top = min(max(b.cursor[1]-m.boxHeight()+4, 0), b.cursor[1])
	b.lines = append(b.lines, nil)
	switch {
	case p.waiting:
		b.lines = append(b.lines, []span{{"…", m.colours.accent}})
	case p.failure != nil:
		p.failure.lines(m, &b, width)
		if len(p.failure.flags) > 0 {
			b.lines = append(b.lines, []span{{"ctrl+f", strong}, {" does it with " + p.failure.flags[0], m.colours.faint}})
		}
	default:
		b.lines = append(b.lines, wrap(m.method, width, 0, span{p.help, m.colours.faint})...)
	}
	return b
}

// wrapInput breaks a text that is typed: anywhere, so that the cursor is where the text before it ends.
func wrapInput(method ansi.Method, width int, text string) (rows [][]span) {
	for line := range strings.SplitSeq(text, "\n") {
		line = shownText(method, line)
		for method.StringWidth(line) > width {
			part := method.Truncate(line, width, "")
			if part == "" { // a character that is wider than the line
				break
			}
			rows, line = append(rows, []span{{part, plain}}), line[len(part):]
		}
		rows = append(rows, []span{{line, plain}})
	}
	return rows
}
