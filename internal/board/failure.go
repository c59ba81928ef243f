package board

import (
	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/cli/cardaction"
	"git-ralph/internal/cli/cmdline"
)

// A failure says why an action failed, and offers to do it again.
type failure struct {
	action action
	exit   int
	errors []string
	hints  []string
	flags  []string // that the messages name, and with which it could be done
	top    int      // the first line on the screen
}

func newFailure(msg doneMsg) *failure {
	f := &failure{action: msg.action, exit: msg.outcome.Exit, errors: cardaction.Errors(msg.outcome), hints: msg.outcome.Messages["hint"]}
	f.flags = f.action.what.FlagsIn(msg.outcome, f.action.values.Allowed)
	if f.action.what.Name == cardaction.Undo && f.action.values.Commit == "" {
		f.hints = append(f.hints, "on the board [ goes back to older commits: there u takes back what one did, whoever made it")
	}
	return f
}

func (f *failure) pressed(m *model, k tea.KeyPressMsg) tea.Cmd {
	switch key := k.String(); key {
	case "enter", "r":
		m.over = nil
		return m.do(f.action)
	case "esc", "q", "ctrl+c", "space":
		m.over = nil
	case "up", "k", "down", "j":
		by := 1
		if key == "up" || key == "k" {
			by = -1
		}
		f.top = min(max(f.top+by, 0), m.lastTop(f))
	default:
		for _, flag := range f.flags {
			if key == flag[2:3] {
				m.over = nil
				return m.do(f.action.with(flag))
			}
		}
	}
	return nil
}

func (f *failure) paste(*model, string) tea.Cmd { return nil }

func (f *failure) keys() [][2]string {
	keys := [][2]string{{"enter", "again"}, {"esc", "back"}}
	for _, flag := range f.flags {
		keys = append(keys, [2]string{flag[2:3], "with " + flag})
	}
	return keys
}

func (*failure) widest() int { return widestBox }

func (f *failure) box(m *model, width int) box {
	b := box{title: "Failed: " + f.action.title(), scrolls: true, top: f.top}
	f.lines(m, &b, width)
	return b
}

// lines adds what is wrong, and what can be done.
func (f *failure) lines(m *model, b *box, width int) {
	for _, text := range f.errors {
		b.lines = append(b.lines, wrap(m.method, width, 0, span{text, m.colours.bad})...)
	}
	if f.exit == cmdline.ExitLocked && !f.action.what.OfClaim() {
		b.lines = append(b.lines, wrap(m.method, width, 0, span{"Nothing was changed; it can be done again when the other one has finished.", plain})...)
	}
	for _, text := range f.hints {
		b.lines = append(b.lines, wrap(m.method, width, 2, span{"→ ", m.colours.accent}, span{text, plain})...)
	}
}
