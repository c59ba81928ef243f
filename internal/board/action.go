package board

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/cli/cardaction"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// An action is done to the card that is selected, or to the plan.
type action struct {
	what   cardaction.Action
	values cardaction.Values
	number int // of all that were started
}

func (a action) label() string { return a.what.Label(a.values) }

// with returns the action with a flag more.
func (a action) with(flag string) action {
	a.values.Allowed = append(slices.Clone(a.values.Allowed), flag)
	return a
}

// title says what the action is, and of which record.
func (a action) title() string { return titled(a.what.Title, a.values.ID) }

func titled(what, id string) string {
	if id == "" {
		return what
	}
	return what + " · " + id
}

// A doneMsg is how an action ended.
type doneMsg struct {
	action  action
	outcome inprocess.Outcome
}

// do runs an action, after those that run.
func (m *model) do(a action) tea.Cmd {
	if m.inPast() && !a.ofPast() {
		m.note = note{text: "this is the plan as it was: esc goes back to now, where it can be changed", bad: true}
		return nil
	}
	if a.what.Asks == cardaction.AskFields && a.values.Fields == nil {
		return m.openEditor(a)
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
	m.busy, m.note = a.title(), note{}
	ctx, run := m.ctx, m.run
	return func() tea.Msg {
		line, err := a.what.Line(a.values)
		if err != nil {
			return doneMsg{a, inprocess.Outcome{Exit: cmdline.ExitUsage, Messages: map[string][]string{"error": {err.Error()}}}}
		}
		return doneMsg{a, run.Run(ctx, line)}
	}
}

// wasDone shows how an action ended, and reads what it changed.
func (m *model) wasDone(msg doneMsg) tea.Cmd {
	m.busy = ""
	prompt, asked := m.over.(*prompt)
	asked = asked && prompt.waiting && prompt.number == msg.action.number
	switch exit := msg.outcome.Exit; {
	case exit == cmdline.ExitDone:
		m.note = note{text: msg.action.what.Said(msg.action.values, msg.outcome)}
		if ids := cardaction.Changed(msg.outcome); len(ids) > 0 && strings.HasSuffix(msg.action.what.Name, "-add") {
			m.added = ids[0]
		}
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

// ofPast reports whether an action is for a plan of the past: to bring a task back, or to undo the commit that is shown.
func (a action) ofPast() bool { return a.what.Name == cardaction.Restore || a.values.Commit != "" }

// act does what a key says to the card that is selected, or to the plan.
func (m *model) act(key string) tea.Cmd {
	c, kind := m.card(), plan.Kind("")
	if c != nil {
		kind = c.Kind()
	}
	what, found := cardaction.OfKey(key, kind)
	switch {
	case found:
		return m.begin(what, c)
	case c != nil:
		article := "an "
		if kind == plan.KindTask {
			article = "a "
		}
		m.note = note{text: key + " does nothing to " + c.ID() + ": it is " + article + string(kind), bad: true}
	default:
		m.note = note{text: "no card is selected to which " + key + " could do something", bad: true}
	}
	return nil
}

// begin asks for what an action needs, and does it.
func (m *model) begin(what cardaction.Action, c *view.Card) tea.Cmd {
	a := action{what: what}
	if what.Record != "" && c != nil {
		a.values.ID = c.ID()
	}
	switch {
	case what.Name == cardaction.Undo && m.inPast():
		return m.askUndo(a)
	case what.Name == cardaction.Restore && !m.inPast():
		return m.askRestore(a)
	case what.Name == cardaction.Cancel:
		return m.askCancel(a, c)
	}
	switch what.Asks {
	case cardaction.AskNothing, cardaction.AskFields: // fields are edited in the user's editor
		return m.do(a)
	case cardaction.AskSure:
		return m.ask(&menu{title: what.Question, choices: []choice{{"y", strings.ToLower(what.Title) + " " + c.ID(), func(m *model) tea.Cmd { return m.do(a) }}, leave("n", "no")}})
	case cardaction.AskChoice:
		return m.askChoice(a, c)
	case cardaction.AskConflict:
		return m.askConflict(a, c)
	}
	return m.askText(a)
}

// setField sets a field of a record; null clears it.
func (m *model) setField(c *view.Card, name string, value jsonl.Value) action {
	what, _ := cardaction.Find(string(c.Kind()) + "-edit")
	fields := []jsonl.Member{{Name: name, Value: cmp.Or(value, "null")}}
	return action{what: what, values: cardaction.Values{ID: c.ID(), Fields: fields}}
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
	what, _ := cardaction.Find(string(c.Kind()) + "-priority")
	return m.do(action{what: what, values: cardaction.Values{ID: c.ID(), Choice: levels[to]}})
}
