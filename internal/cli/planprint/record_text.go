package planprint

import (
	"cmp"
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// WriteRecord writes an issue, an item, or a task with what is derived for it.
func (s State) WriteRecord(w term.Sink, r *plan.Record) {
	if r.Kind() == plan.KindTask {
		s.writeTask(w, r)
		return
	}
	w.WriteString(strings.TrimSpace(r.JSON()))
}

// ShowRecord prints a task, issue or item for people: its fields, one on each line, what depends on
// it, and why it was rejected; with an empty line before it where it is not the first.
func (s State) ShowRecord(env *term.Env, r *plan.Record, first bool) {
	if !first {
		env.Print("")
	}
	word, look := "open", term.PlainStyle
	switch r.Kind() {
	case plan.KindTask:
		word, look = s.taskState(r)
	case plan.KindItem:
		word, look = cmp.Or(r.Text("state"), "no state"), itemStyle(r)
	}
	t := term.Table{Wrap: true}
	t.Add(term.Cell{Text: r.ID(), Style: term.Cyan}, term.Cell{Text: word, Style: look})
	if text := s.claimText(r.ID()); text != "" {
		t.Add(term.Cell{Text: "claim", Style: term.Faint}, term.Cell{Text: strings.TrimPrefix(text, "claimed: "), Style: term.PlainStyle})
	}
	for _, m := range r.Object().Members() {
		if m.Name == "t" || m.Name == "id" || m.Name == "s" || m.Name == "state" && r.Kind() == plan.KindItem {
			continue
		}
		AddField(&t, m)
	}
	if dependants := s.Plan.Dependants(r.ID()); len(dependants) > 0 {
		t.Add(term.Cell{Text: "needed by", Style: term.Faint}, term.Cell{Text: strings.Join(dependants, ", "), Style: term.PlainStyle})
	}
	for _, tombstone := range s.Plan.Of(plan.KindReject) {
		if tombstone.ID() == r.ID() {
			t.Add(term.Cell{Text: "rejected", Style: term.Faint}, term.Cell{Text: tombstone.Text("reason"), Style: term.Yellow})
		}
	}
	t.Write(env)
}

// AddField adds a row for each line of a field's value.
func AddField(t *term.Table, m jsonl.Member) {
	title := m.Name
	for _, line := range fieldLines(m.Value) {
		t.Add(term.Cell{Text: title, Style: term.Faint}, term.Cell{Text: line, Style: term.PlainStyle})
		title = ""
	}
}

func fieldLines(v jsonl.Value) []string {
	if text, ok := v.Str(); ok {
		return strings.Split(text, "\n")
	}
	if texts, ok := v.Strings(); ok {
		return []string{strings.Join(texts, ", ")}
	}
	return []string{string(v)}
}
