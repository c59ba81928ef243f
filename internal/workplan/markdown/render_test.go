package markdown

import (
	"slices"
	"testing"

	"git-ralph/internal/workplan"
)

// A file that is rendered says what it was rendered from, whatever its texts are.
func TestRender(t *testing.T) {
	texts := []string{
		"Write the lexer", "yes", "null", "7", "1.0", "a: b", "# x", "C #", "C##", "'q'", `"q" \n`, "- x", "{x}", "日本 🎉", "~", "`code` *x*", "a  b", "2026-01-02", "[x](y)", "&a", "Setext", "x\x7fy", "true ", "é",
	}
	f := workplan.File{ID: "W", Title: "T", Status: workplan.Active, Workstream: "51e1"}
	for i, text := range texts {
		f.Tasks = append(f.Tasks, workplan.Task{
			ID: workplan.TaskID(text, i), Name: text, Status: workplan.TaskStatuses()[i%3], Priority: append(workplan.Priorities(), "")[i%4], HubTask: text,
		})
	}
	for _, text := range texts {
		f.ID, f.Title = text, text
		got, err := Parse("w.md", []byte(workplan.Render(f)))
		if err != nil {
			t.Fatalf("%q: %v\n%s", text, err, workplan.Render(f))
		}
		if got.ID != text || got.Title != text {
			t.Errorf("id %q and title %q, want %q", got.ID, got.Title, text)
		}
		for i := range got.Tasks {
			got.Tasks[i].Line, got.Tasks[i].StatusAt = 0, workplan.Span{}
		}
		want := slices.Clone(f.Tasks)
		for i, text := range texts {
			want[i].Name = oneSpace(text)
		}
		if !slices.Equal(got.Tasks, want) {
			t.Fatalf("got\n%+v\nwant\n%+v", got.Tasks, want)
		}
	}
}

// oneSpace is what a heading keeps of a text: runs of blanks are one, and none are at its ends.
func oneSpace(text string) string {
	switch text {
	case "a  b":
		return "a b"
	case "true ":
		return "true"
	}
	return text
}
