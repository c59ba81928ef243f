package agentkit_test

import (
	"testing"

	"git-ralph/internal/agentkit"
)

// TestSpawn guards: the first message to a worker is the template with its placeholders filled; an empty one removes its whole line, and
// without a task the worker looks for one itself. A placeholder in what is filled in is text.
func TestSpawn(t *testing.T) {
	whole := agentkit.Spawn{Verb: "Research", Ref: "GH-42", Title: "Lex {TITLE}", Context: "Task t-1.", Skill: "x 42", Report: "artifact"}
	for _, row := range []struct {
		name   string
		change func(s *agentkit.Spawn)
		want   string
	}{
		{"all", func(*agentkit.Spawn) {}, "Research GH-42: Lex {TITLE}.\nTask t-1.\n\nInvoke: x 42\n\nReport via task_change: \"artifact\"\n"},
		{"an item without a number", func(s *agentkit.Spawn) { s.Ref = "w-1a2b" }, "Research w-1a2b: Lex {TITLE}.\nTask t-1.\n\nInvoke: x 42\n\nReport via task_change: \"artifact\"\n"},
		{"no context", func(s *agentkit.Spawn) { s.Context = "" }, "Research GH-42: Lex {TITLE}.\n\nInvoke: x 42\n\nReport via task_change: \"artifact\"\n"},
		{"no skill", func(s *agentkit.Spawn) { s.Skill = "" }, "Research GH-42: Lex {TITLE}.\nTask t-1.\n\nReport via task_change: \"artifact\"\n"},
		{"no title", func(s *agentkit.Spawn) { s.Title = "" }, "Task t-1.\n\nInvoke: x 42\n\nReport via task_change: \"artifact\"\n"},
		{"no report", func(s *agentkit.Spawn) { s.Report = "" }, "Research GH-42: Lex {TITLE}.\nTask t-1.\n\nInvoke: x 42\n"},
		{"no task", func(s *agentkit.Spawn) { *s = agentkit.Spawn{} }, "Check for your first assignment.\n"},
		{"no task, with a report", func(s *agentkit.Spawn) { *s = agentkit.Spawn{Report: "artifact"} }, "Check for your first assignment.\n\nReport via task_change: \"artifact\"\n"},
	} {
		s := whole
		row.change(&s)
		if got := s.Text(); got != row.want {
			t.Errorf("%s:\n%s\nwant\n%s", row.name, got, row.want)
		}
	}
}
