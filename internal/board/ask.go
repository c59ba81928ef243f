package board

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/cli/cardaction"
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
	field, help := "name", "What is to be done, in a few words."
	if kind == plan.KindIssue {
		field, help = "desc", "What was found."
	}
	what, _ := cardaction.Find(string(kind) + "-add")
	p := &prompt{title: "New " + string(kind), help: help, lines: kind == plan.KindIssue}
	p.enter = func(m *model, text string) tea.Cmd {
		return p.start(m, action{what: what, values: cardaction.Values{Fields: []jsonl.Member{{Name: field, Value: jsonl.Quote(text)}}}})
	}
	return m.ask(p)
}

// askAdd asks what is to be added.
func (m *model) askAdd() tea.Cmd {
	return m.ask(&menu{title: "Add", choices: []choice{
		{"i", "an issue", func(m *model) tea.Cmd { return m.add(plan.KindIssue) }},
		{"p", "an item of the pipeline", func(m *model) tea.Cmd { return m.add(plan.KindItem) }},
		{"t", "a task", func(m *model) tea.Cmd { return m.add(plan.KindTask) }},
	}})
}

// leave is a choice that changes nothing.
func leave(key, text string) choice {
	return choice{key, text, func(*model) tea.Cmd { return nil }}
}

// askText asks for the text of an action.
func (m *model) askText(a action) tea.Cmd {
	p := &prompt{title: a.title(), help: a.what.Question, lines: a.what.Record != ""}
	if a.what.Name == cardaction.SetSpec {
		p.text.insert(m.data.Plan.Spec())
	}
	p.enter = func(m *model, text string) tea.Cmd {
		a := a
		a.values.Text = text
		return p.start(m, a)
	}
	return m.ask(p)
}

// askChoice asks for one of an action's choices.
func (m *model) askChoice(a action, c *view.Card) tea.Cmd {
	o := &menu{title: titled(a.what.Title, cmp.Or(c.Item, c.ID()))}
	current := c.Priority()
	if c.Kind() == plan.KindItem {
		current = c.State
	}
	for i, one := range a.what.Choices {
		a := a
		a.values.Choice = one.Value
		do := func(m *model) tea.Cmd { return m.do(a) }
		if one.Value == current {
			o.at = i
			do = func(m *model) tea.Cmd {
				m.note = note{text: a.label() + ", as it was"}
				return nil
			}
		}
		o.choices = append(o.choices, choice{one.Key, one.Title, do})
	}
	return m.ask(o)
}

// askCancel asks whether a task is to leave the plan, and what becomes of those that wait for it.
func (m *model) askCancel(a action, c *view.Card) tea.Cmd {
	choices := []choice{{"y", "cancel " + c.ID(), func(m *model) tea.Cmd { return m.do(a) }}}
	if t := m.task.task; t != nil && m.task.id == c.ID() && len(t.NeededBy) > 0 {
		choices = []choice{
			{"d", "it alone: others wait for it no more", func(m *model) tea.Cmd { return m.do(a.with("--detach")) }},
			{"c", "it and all tasks that wait for it", func(m *model) tea.Cmd { return m.do(a.with("--cascade")) }},
		}
	}
	return m.ask(&menu{title: "Cancel " + firstLine(nameOf(c)), choices: append(choices, leave("n", "keep it"))})
}

// askUndo asks whether to take back what the commit did that is shown.
func (m *model) askUndo(a action) tea.Cmd {
	one := m.past.moment()
	a.values.Commit = one.hex
	m.over = &menu{title: "Take back what " + one.hex[:9] + " did: " + one.what, choices: []choice{
		{"y", "with a new commit; what was done since stays", func(m *model) tea.Cmd { return m.do(a) }}, leave("n", "no"),
	}}
	return nil
}

// maxRestorable is how many tasks there are to choose from; the past has the others.
const maxRestorable = 200

// askRestore asks which task is to come back: those that were cancelled or lost, the last one first.
func (m *model) askRestore(a action) tea.Cmd {
	o := &menu{title: "Bring back"}
	if m.data.History != nil {
		left := slices.DeleteFunc(m.data.Left(), func(c view.Card) bool { return c.Kind() != plan.KindTask || !cardaction.Restorable(c.Status) })
		times := m.data.Times()
		slices.SortStableFunc(left, func(a, b view.Card) int { return times[b.ID()].Changed.Compare(times[a.ID()].Changed) })
		for _, c := range left {
			if len(o.choices) == maxRestorable {
				break
			}
			a := a
			a.values.ID = c.ID()
			o.choices = append(o.choices, choice{"", string(c.Status) + "  " + c.ID() + "  " + firstLine(c.Name()), func(m *model) tea.Cmd { return m.do(a) }})
		}
	}
	if o.choices == nil {
		m.note = note{text: "no task was cancelled or lost, as far as the history was read"}
		return nil
	}
	return m.ask(o)
}

// askConflict asks what is to be of the conflicts of a record, one after the other.
func (m *model) askConflict(a action, c *view.Card) tea.Cmd {
	conflicts := c.Conflicts()
	if len(conflicts) == 0 {
		m.note = note{text: c.ID() + " has no conflict", bad: true}
		return nil
	}
	fields := &menu{title: "Which conflict of " + c.ID()}
	for i, one := range conflicts {
		fields.choices = append(fields.choices, choice{strconv.Itoa(i + 1), one.Field, func(m *model) tea.Cmd { return m.askCandidate(a, one) }})
	}
	if len(conflicts) == 1 {
		return fields.choices[0].do(m)
	}
	return m.ask(fields)
}

// askCandidate asks which value of a field in conflict is to stay.
func (m *model) askCandidate(a action, c plan.Conflict) tea.Cmd {
	settle := func(s cardaction.Settling) func(*model) tea.Cmd {
		s.Field = c.Field
		a := a
		a.values.Settle = s
		return func(m *model) tea.Cmd { return m.do(a) }
	}
	if c.Field == plan.Removed {
		return m.ask(&menu{title: "One side removed " + c.ID + ", the other changed it", choices: []choice{
			{"k", "keep it", settle(cardaction.Settling{Keep: true})}, {"x", "remove it", settle(cardaction.Settling{})}, leave("esc", "decide later"),
		}})
	}
	o := &menu{title: c.Field + " of " + c.ID}
	for i, v := range c.Candidates {
		o.choices = append(o.choices, choice{strconv.Itoa(i + 1), firstLine(candidateText(v)), settle(cardaction.Settling{Take: i + 1})})
	}
	o.choices = append(o.choices, choice{"o", "another value", func(m *model) tea.Cmd {
		p := &prompt{title: c.Field + " of " + c.ID, help: "Empty clears it.", lines: plan.IsProse(c.Field)}
		p.text.insert(valueText(c.Value))
		p.enter = func(m *model, text string) tea.Cmd {
			a := a
			a.values.Settle, a.values.Text = cardaction.Settling{Field: c.Field}, text
			return p.start(m, a)
		}
		return m.ask(p)
	}})
	return m.ask(o)
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
	return m.ask(&menu{title: titled("Edit", c.ID()), choices: choices})
}

func (m *model) askValue(c *view.Card, f field) tea.Cmd {
	p := &prompt{title: f.name + " of " + c.ID(), help: "Empty clears it.", lines: f.lines}
	if f.name == "name" {
		p.help = ""
	}
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
