package board

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/cli/cardaction"
	"git-ralph/internal/plan"
)

// A binding is what a key does.
type binding struct {
	keys []string // as bubbletea names them, the one that is shown first
	text string
	do   func(*model) tea.Cmd
}

// A section is the bindings that belong together.
type section struct {
	title    string
	bindings []binding
	signs    [][2]string // and what they mean
	notes    []string
}

// bindings returns all keys, in the order of the help.
func bindings() []section {
	return []section{
		{"Move", movingKeys(), nil, []string{"A click selects, a second one opens; the wheel moves what is under it."}},
		{"See", seeingKeys(), nil, nil},
		{"Signs", nil, signs(), nil},
		{"Change", changingKeys(), nil, nil},
		{"The past", pastKeys(), nil, []string{"A click on the bar goes to its place. In the past u takes back what that commit did, and B brings a task back; all else is changed now."}},
	}
}

// signs explains the signs of cards.
func signs() [][2]string {
	return [][2]string{{"▲ ■ ▼", "priority: high, medium, low"}, {"← t-1a2b +2", "waits for t-1a2b and two others"}, {"✗2", "rejected twice"}, {"@ann 5m", "claimed by ann five minutes ago"}}
}

func movingKeys() []binding {
	return []binding{
		{[]string{"left", "h"}, "the column on the left", func(m *model) tea.Cmd { return m.moveColumn(-1) }},
		{[]string{"right", "l"}, "the column on the right", func(m *model) tea.Cmd { return m.moveColumn(1) }},
		{[]string{"down", "j"}, "down: a card, a line, a link", func(m *model) tea.Cmd { return m.move(1) }},
		{[]string{"up", "k"}, "up", func(m *model) tea.Cmd { return m.move(-1) }},
		{[]string{"pgdown", "space", "ctrl+f"}, "a page down", func(m *model) tea.Cmd { return m.move(m.page()) }},
		{[]string{"pgup", "ctrl+b"}, "a page up", func(m *model) tea.Cmd { return m.move(-m.page()) }},
		{[]string{"home", "g"}, "the first one", func(m *model) tea.Cmd { return m.move(-1 << 30) }},
		{[]string{"end", "G"}, "the last one", func(m *model) tea.Cmd { return m.move(1 << 30) }},
		{[]string{"tab"}, "the next pane: columns, task, links", func(m *model) tea.Cmd { m.nextPane(1); return nil }},
		{[]string{"shift+tab"}, "the pane before", func(m *model) tea.Cmd { m.nextPane(-1); return nil }},
		{[]string{"enter"}, "the task on the whole screen; the task of a link", func(m *model) tea.Cmd { return m.open() }},
		{[]string{"esc"}, "back: pane, filter, past", func(m *model) tea.Cmd { return m.back() }},
	}
}

func seeingKeys() []binding {
	return []binding{
		{[]string{"/"}, "filter and search", func(m *model) tea.Cmd { return m.askFilter() }},
		{[]string{"o"}, "columns alone, or with the task", func(m *model) tea.Cmd { m.alone = !m.alone; m.keepVisible(); return nil }},
		{[]string{"ctrl+r", "ctrl+l"}, "read and draw everything again", func(m *model) tea.Cmd { return tea.Batch(tea.ClearScreen, m.reload()) }},
		{[]string{"w"}, "warnings of what could not be read", func(m *model) tea.Cmd { m.over = warnings(); return nil }},
		{[]string{"M"}, "mouse off, so that the terminal selects text, or on", (*model).toggleMouse},
		{[]string{"?"}, "this list", func(m *model) tea.Cmd { m.over = help(); return nil }},
		{[]string{"ctrl+z"}, "to the shell; fg comes back", func(m *model) tea.Cmd { return m.suspend() }},
		{[]string{"q", "ctrl+c"}, "quit", func(*model) tea.Cmd { return tea.Quit }},
	}
}

// changingKeys are those of the actions, which the page has too, and some that only a terminal needs.
func changingKeys() (all []binding) {
	own := map[string]func(*model) tea.Cmd{
		"a": func(m *model) tea.Cmd { return m.add(plan.KindTask) }, "A": (*model).askAdd,
	}
	for _, a := range cardaction.All() {
		at := slices.IndexFunc(all, func(b binding) bool { return b.keys[0] == a.Key })
		switch {
		case at < 0:
			do := own[a.Key]
			if do == nil {
				do = func(m *model) tea.Cmd { return m.act(a.Key) }
			}
			keys := []string{a.Key}
			if a.Name == cardaction.Cancel {
				keys = append(keys, "delete")
			}
			all = append(all, binding{keys, a.About, do})
		case !strings.Contains(all[at].text, a.About):
			all[at].text += "; " + a.About
		}
		if a.Key == "p" && a.Record == plan.KindIssue {
			all = append(all,
				binding{[]string{"+", "="}, "priority one higher", func(m *model) tea.Cmd { return m.raise(1) }},
				binding{[]string{"-"}, "priority one lower", func(m *model) tea.Cmd { return m.raise(-1) }},
				binding{[]string{"f"}, "one field, without an editor", (*model).askField})
		}
	}
	return all
}

func pastKeys() []binding {
	return []binding{
		{[]string{"["}, "the plan one commit earlier", func(m *model) tea.Cmd { return m.goBack(1) }},
		{[]string{"]"}, "one commit later", func(m *model) tea.Cmd { return m.goBack(-1) }},
		{[]string{"{"}, "a tenth of the history earlier", func(m *model) tea.Cmd { return m.goBack(m.past.tenth()) }},
		{[]string{"}"}, "a tenth later", func(m *model) tea.Cmd { return m.goBack(-m.past.tenth()) }},
		{[]string{"0"}, "now", func(m *model) tea.Cmd { return m.goTo(0) }},
	}
}

// keysOf returns the bindings by their keys.
func keysOf(sections []section) map[string]*binding {
	keys := map[string]*binding{}
	for _, s := range sections {
		for i := range s.bindings {
			for _, k := range s.bindings[i].keys {
				keys[k] = &s.bindings[i]
			}
		}
	}
	return keys
}

// warnings lists what could not be read, or is not as it should be.
func warnings() overlay {
	return &viewer{title: "Warnings", width: widestBox, lines: func(m *model, width int) (lines [][]span) {
		if m.unread != nil {
			lines = append(lines, wrap(m.method, width, 2, span{"shown is the plan before this: " + m.unread.Error(), m.colours.bad})...)
		}
		for _, text := range m.shown().Warnings() {
			lines = append(lines, wrap(m.method, width, 2, span{text, m.colours.warn})...)
		}
		if lines == nil {
			lines = [][]span{{{"There are none.", plain}}}
		}
		return lines
	}}
}
