package pipeline

import (
	"path"
	"testing"
	"time"
)

// TestDocumentsAreFoundByTheirNames guards: whatever document a task is to write, alone, of a group or of a stream, its file says which
// item it is named after; other files say none.
func TestDocumentsAreFoundByTheirNames(t *testing.T) {
	today := time.Date(2026, 2, 22, 0, 0, 0, 0, time.UTC)
	item := &Item{ID: "w-1", Number: 42, Title: "Lex: it, at 100%"}
	for want, b := range map[string]Brief{
		"docs/research/2026-02-22-GH-0042-lex-it-at-100.md":       {Task: Task{Step: StepResearch}},
		"docs/plans/2026-02-22-GH-0042-lex-it-at-100.md":          {Task: Task{Step: StepPlan, Members: []string{"w-1"}}},
		"docs/plans/2026-02-22-group-GH-0042-lex-it-at-100.md":    {Task: Task{Step: StepPlan, Members: []string{"w-1", "w-2"}}},
		"docs/reviews/2026-02-22-stream-GH-0042-lex-it-at-100.md": {Task: Task{Step: StepReview, Stream: "stream-42-43"}},
		"": {Task: Task{Step: StepImplement}},
	} {
		b.primary = item
		got := b.DocumentPath("docs", today)
		if got != want {
			t.Errorf("%s writes %q, want %q", b.Step, got, want)
		}
		if number, found := NumberInName(path.Base(got)); found != (want != "") || found && number != 42 {
			t.Errorf("%q is named after %d, %v", got, number, found)
		}
	}
	for _, name := range []string{"2026-02-22-w-1a2b-lex.md", "GH-0042.md", "2026-02-22-GH-0042.txt", "2026-02-22-GH-99999999999999999999.md"} {
		if number, found := NumberInName(name); found {
			t.Errorf("%q is named after %d, want none", name, number)
		}
	}
}
