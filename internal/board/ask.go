package board

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// ask opens an overlay. Where an older plan is shown none is opened, since nothing can be changed.
func (m *model) ask(o overlay) tea.Cmd {
	if m.inPast() {
		return m.do(action{}) // it says so
	}
	m.over = o
	return nil
}

// add asks for a new record.
func (m *model) add(kind plan.Kind) tea.Cmd {
	field := "name"
	if kind == plan.KindIssue {
		field = "desc"
	}
	p := &prompt{title: "New " + string(kind), help: "What is to be done, in a few words.", lines: kind == plan.KindIssue}
	if kind == plan.KindIssue {
		p.help = "What was found."
	}
	p.enter = func(m *model, text string) tea.Cmd {
		object := jsonl.Build([]jsonl.Member{{Name: field, Value: jsonl.Quote(text)}})
		return p.start(m, action{label: "added", words: []string{string(kind), "add"}, args: []string{"-"}, input: object.Text(), kind: inprocess.Change})
	}
	return m.ask(p)
}

// askAdd asks what is to be added.
func (m *model) askAdd() tea.Cmd {
	return m.ask(&menu{title: "Add", choices: []choice{
		{"t", "a task", func(m *model) tea.Cmd { return m.add(plan.KindTask) }},
		{"i", "an issue", func(m *model) tea.Cmd { return m.add(plan.KindIssue) }},
		{"p", "an item of the pipeline", func(m *model) tea.Cmd { return m.add(plan.KindItem) }},
	}})
}

// askReason asks why a task is rejected.
func (m *model) askReason() tea.Cmd {
	a, ok := m.onCard("rejected", "task", "reject")
	if !ok {
		return nil
	}
	p := &prompt{title: "Reject " + m.card().ID(), help: "Why: whoever does it again reads that.", lines: true}
	p.enter = func(m *model, text string) tea.Cmd {
		a := a
		a.args = []string{a.args[0], text}
		return p.start(m, a)
	}
	return m.ask(p)
}

// askCancel asks whether a record is to leave the plan.
func (m *model) askCancel() tea.Cmd {
	c := m.card()
	if c == nil {
		return nil
	}
	if c.Kind() != plan.KindTask {
		return m.finish()
	}
	a, _ := m.onCard("cancelled", "task", "cancel")
	choices := []choice{{"y", "cancel " + c.ID(), func(m *model) tea.Cmd { return m.do(a) }}}
	if t := m.task.task; t != nil && m.task.id == c.ID() && len(t.NeededBy) > 0 {
		choices = []choice{
			{"c", "and the tasks that depend on it", func(m *model) tea.Cmd { return m.do(a.with("--cascade")) }},
			{"d", "and the dependencies on it", func(m *model) tea.Cmd { return m.do(a.with("--detach")) }},
		}
	}
	return m.ask(&menu{title: "Cancel " + firstLine(nameOf(c)), choices: append(choices, choice{"n", "keep it", func(*model) tea.Cmd { return nil }})})
}

// askKill asks why work on a task was stopped.
func (m *model) askKill() tea.Cmd {
	a, ok := m.onCard("killed", "task", "kill")
	if !ok {
		return nil
	}
	because := func(why string) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd {
			a := a
			a.args = []string{a.args[0], why}
			return m.do(a)
		}
	}
	return m.ask(&menu{title: "Work on " + m.card().ID() + " was stopped", choices: []choice{
		{"t", "it took too long", because("timeout")}, {"c", "the agent's context was full", because("context")},
	}})
}

// askParts asks for the smaller tasks that take the place of one.
func (m *model) askParts() tea.Cmd {
	a, ok := m.onCard("decomposed", "task", "decompose")
	if !ok {
		return nil
	}
	p := &prompt{title: "Decompose " + m.card().ID(), help: "The smaller tasks, a line each.", lines: true}
	p.enter = func(m *model, text string) tea.Cmd {
		var objects strings.Builder
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				objects.WriteString(jsonl.Build([]jsonl.Member{{Name: "name", Value: jsonl.Quote(line)}}).Text() + "\n")
			}
		}
		a := a
		a.args, a.input = []string{a.args[0], "-"}, objects.String()
		return p.start(m, a)
	}
	return m.ask(p)
}

// askState asks where an item goes.
func (m *model) askState() tea.Cmd {
	c := m.card()
	var choices []choice
	for i, state := range plan.ItemStates() {
		key := string(rune('a' + i))
		choices = append(choices, choice{key, state, func(m *model) tea.Cmd {
			return m.do(action{label: c.ID() + " moved to " + state, words: []string{"item", "move"}, args: []string{c.ID(), state}, kind: inprocess.Change})
		}})
	}
	return m.ask(&menu{title: "Move " + cmp.Or(c.Item, c.ID()), choices: choices})
}

// askPriority asks for a priority.
func (m *model) askPriority() tea.Cmd {
	c := m.card()
	if c == nil || c.Kind() == plan.KindItem {
		return nil
	}
	set := func(level string) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.setPriority(c, level) }
	}
	choices := []choice{{"h", "high", set("high")}, {"m", "medium", set("medium")}, {"l", "low", set("low")}, {"n", "none", set("")}}
	at := max(slices.IndexFunc(choices, func(one choice) bool { return one.text == c.Priority() }), 0)
	return m.ask(&menu{title: "Priority of " + c.ID(), choices: choices, at: at})
}

// A field is one that people edit.
type field struct {
	key, name string
	list      string // between the entries of a list; "" for a text
	lines     bool
}

func fieldsOf(kind plan.Kind) []field {
	switch kind {
	case plan.KindIssue:
		return []field{{"d", "desc", "", true}, {"l", "labels", ", ", false}, {"s", "spec", "", false}}
	case plan.KindItem:
		return []field{{"n", "name", "", false}, {"d", "desc", "", true}, {"e", "estimate", "", false}, {"w", "blocked_by", ", ", false}, {"f", "files", ", ", false}, {"l", "labels", ", ", false}, {"u", "url", "", false}}
	}
	return []field{{"n", "name", "", false}, {"o", "notes", "", true}, {"c", "accept", "", true}, {"w", "deps", ", ", false}, {"l", "labels", ", ", false}, {"k", "check", "\n", true}, {"r", "role", "", false}, {"s", "spec", "", false}}
}

// askField asks for a field, and for its value.
func (m *model) askField() tea.Cmd {
	c := m.card()
	if c == nil {
		return nil
	}
	var choices []choice
	for _, f := range fieldsOf(c.Kind()) {
		choices = append(choices, choice{f.key, f.name, func(m *model) tea.Cmd { return m.askValue(c, f) }})
	}
	return m.ask(&menu{title: "Edit " + c.ID(), choices: choices})
}

func (m *model) askValue(c *view.Card, f field) tea.Cmd {
	p := &prompt{title: f.name + " of " + c.ID(), help: "Empty clears it.", lines: f.lines}
	value := c.Text(f.name)
	if f.list != "" {
		value = strings.Join(c.Texts(f.name), f.list)
		p.help = "Divided by commas; empty clears it."
		if f.list == "\n" {
			p.help = "A command a line; empty clears it."
		}
		if value == "" {
			value = c.Text(f.name)
		}
	}
	p.text.insert(value)
	p.enter = func(m *model, text string) tea.Cmd { return p.start(m, m.setField(c, f.name, f.value(text))) }
	return m.ask(p)
}

// value returns what was typed as the field has it.
func (f field) value(text string) jsonl.Value {
	if f.list == "" {
		if strings.TrimSpace(text) == "" {
			return ""
		}
		return jsonl.Quote(text)
	}
	var list []string
	for one := range strings.SplitSeq(text, strings.TrimSpace(f.list)+strings.Trim(f.list, ", ")) {
		if one = strings.TrimSpace(one); one != "" {
			list = append(list, one)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return jsonl.List(list)
}

// askSpec asks for the spec.
func (m *model) askSpec() tea.Cmd {
	p := &prompt{title: "Set the spec", help: "A file in ralph/specs, or its path from the root."}
	p.text.insert(m.data.Plan.Spec())
	p.enter = func(m *model, text string) tea.Cmd {
		return p.start(m, action{label: "spec set", words: []string{"set-spec"}, args: []string{text}, kind: inprocess.Change})
	}
	return m.ask(p)
}
