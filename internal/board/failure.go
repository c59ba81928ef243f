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
}

func newFailure(msg doneMsg) *failure {
	f := &failure{action: msg.action, exit: msg.outcome.Exit, errors: msg.outcome.Messages["error"], hints: msg.outcome.Messages["hint"]}
	if len(f.errors) == 0 {
		f.errors = []string{"it failed"}
	}
	f.flags = cardaction.FlagsIn(msg.outcome, f.action.values.Allowed)
	return f
}

func (f *failure) pressed(m *model, k tea.KeyPressMsg) tea.Cmd {
	switch key := k.String(); key {
	case "enter", "r":
		m.over = nil
		return m.do(f.action)
	case "esc", "q", "ctrl+c", "space":
		m.over = nil
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

func (*failure) keys() [][2]string { return nil } // the box has them

func (*failure) widest() int { return widestBox }

func (f *failure) box(m *model, width int) box {
	b := box{title: "Not " + f.action.label()}
	f.lines(m, &b, width)
	keys := []span{{"enter", strong}, {" again   ", m.colours.faint}}
	for _, flag := range f.flags {
		keys = append(keys, span{flag[2:3], strong}, span{" with " + flag + "   ", m.colours.faint})
	}
	b.lines = append(b.lines, nil)
	b.lines = append(b.lines, wrap(m.method, width, 0, append(keys, span{"esc", strong}, span{" back", m.colours.faint})...)...)
	return b
}

// lines adds what is wrong, and what can be done.
func (f *failure) lines(m *model, b *box, width int) {
	for _, text := range f.errors {
		b.lines = append(b.lines, wrap(m.method, width, 0, span{text, m.colours.bad})...)
	}
	if f.exit == cmdline.ExitLocked {
		b.lines = append(b.lines, wrap(m.method, width, 0, span{"Nothing was changed; it can be done again when the other one has finished.", plain})...)
	}
	for _, text := range f.hints {
		b.lines = append(b.lines, wrap(m.method, width, 2, span{"→ ", m.colours.accent}, span{text, plain})...)
	}
}
