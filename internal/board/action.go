package board

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// An action is a command line of git ralph that changes the plan.
type action struct {
	label string   // what it does, for people
	words []string // of the command
	args  []string // after its flags
	input string   // standard input
	kind  inprocess.Kind

	number int // of all that were started
}

// with returns the action with a flag more.
func (a action) with(flag string) action {
	a.words = append(slices.Clone(a.words), flag)
	return a
}

// line returns the command line. What the user typed follows "--", so that none of it is a flag.
func (a action) line() inprocess.Line {
	words := slices.Clone(a.words)
	if len(a.args) > 0 {
		words = append(append(words, "--"), a.args...)
	}
	return inprocess.Line{Words: words, Input: a.input, Kind: a.kind}
}

// A doneMsg is how an action ended.
type doneMsg struct {
	action  action
	outcome inprocess.Outcome
}

// do runs an action, after those that run.
func (m *model) do(a action) tea.Cmd {
	if m.inPast() {
		m.note = note{text: "this is the plan as it was: esc goes back to now, where it can be changed", bad: true}
		return nil
	}
	m.actions++
	a.number = m.actions
	if m.busy != "" {
		m.queue = append(m.queue, a)
		return nil
	}
	return m.start(a)
}

// start runs an action beside the board.
func (m *model) start(a action) tea.Cmd {
	m.busy, m.note = a.label, note{}
	ctx, run := m.ctx, m.run
	return func() tea.Msg { return doneMsg{a, run.Run(ctx, a.line())} }
}

// wasDone shows how an action ended, and reads what it changed.
func (m *model) wasDone(msg doneMsg) tea.Cmd {
	m.busy = ""
	prompt, asked := m.over.(*prompt)
	asked = asked && prompt.waiting && prompt.number == msg.action.number
	switch exit := msg.outcome.Exit; {
	case exit == cmdline.ExitDone:
		m.note = note{text: msg.action.label + resultText(msg.outcome)}
		if asked {
			m.over = nil
		}
	case asked: // what was typed stays
		prompt.waiting, prompt.failure = false, newFailure(msg)
	default:
		m.over = newFailure(msg)
	}
	cmds := []tea.Cmd{m.reload()}
	if len(m.queue) > 0 {
		next := m.queue[0]
		m.queue = m.queue[1:]
		cmds = append(cmds, m.start(next))
	}
	return tea.Batch(cmds...)
}

// resultText says what became of a change: the commit, and what the command warned of.
func resultText(o inprocess.Outcome) string {
	text := ""
	if reply, err := jsonl.ParseObject(strings.ReplaceAll(o.Output, "\n", " ")); err == nil {
		commit, _ := reply.Get("commit")
		reason, _ := reply.Get("reason")
		if hex, ok := commit.Str(); ok && hex != "" {
			text = " · " + hex[:min(9, len(hex))]
		} else if why, ok := reason.Str(); ok {
			text = " · not committed: " + why
		}
	}
	if warnings := o.Messages["warning"]; len(warnings) > 0 {
		text += " · " + warnings[0]
	}
	return text
}

// onCard returns an action on the card that is selected, by the command of its kind.
func (m *model) onCard(label string, words ...string) (action, bool) {
	c := m.card()
	if c == nil {
		return action{}, false
	}
	return action{label: label + " " + c.ID(), words: words, args: []string{c.ID()}, kind: inprocess.Change}, true
}

// taskAction returns an action on the task that is selected; nothing is done where it is none.
func (m *model) taskAction(label string, words ...string) tea.Cmd {
	a, ok := m.onCard(label, words...)
	switch {
	case !ok:
		return nil
	case m.card().Kind() != plan.KindTask:
		m.note = note{text: "this is for tasks, and " + m.card().ID() + " is an " + string(m.card().Kind()), bad: true}
		return nil
	}
	return m.do(a)
}

// finish marks a task done, closes an issue, or asks where an item goes.
func (m *model) finish() tea.Cmd {
	switch c := m.card(); {
	case c == nil:
		return nil
	case c.Kind() == plan.KindIssue:
		a, _ := m.onCard("closed", "issue", "done")
		return m.do(a)
	case c.Kind() == plan.KindItem:
		return m.askState()
	}
	return m.taskAction("done", "task", "done")
}

// accept takes a done task out of the plan. Its checks may have to be run for that, which is done in a process of its own.
func (m *model) accept() tea.Cmd {
	a, ok := m.onCard("accepted", "task", "accept")
	if !ok || m.card().Kind() != plan.KindTask {
		return m.taskAction("accepted", "task", "accept")
	}
	a.kind = inprocess.Checks
	return m.do(a)
}

// setField sets a field of a record; null clears it.
func (m *model) setField(c *view.Card, name string, value jsonl.Value) action {
	object := jsonl.Build([]jsonl.Member{{Name: name, Value: cmp.Or(value, "null")}})
	return action{
		label: name + " of " + c.ID() + " set", words: []string{string(c.Kind()), "edit"}, args: []string{c.ID(), "-"}, input: object.Text(), kind: inprocess.Change,
	}
}

// raise sets the priority one higher, or lower where by is negative.
func (m *model) raise(by int) tea.Cmd {
	c := m.card()
	if c == nil || c.Kind() == plan.KindItem {
		return nil
	}
	levels := []string{"", "low", "medium", "high"}
	at := slices.Index(levels, c.Priority())
	to := min(max(at+by, 0), len(levels)-1)
	if at < 0 || to == at {
		return nil
	}
	return m.setPriority(c, levels[to])
}

func (m *model) setPriority(c *view.Card, level string) tea.Cmd {
	value := jsonl.Value("")
	if level != "" {
		value = jsonl.Quote(level)
	}
	a := m.setField(c, "priority", value)
	a.label = "priority of " + c.ID() + ": " + cmp.Or(level, "none")
	return m.do(a)
}
