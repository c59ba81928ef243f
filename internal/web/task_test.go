package web

import (
	"encoding/json"
	"strings"
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/view"
)

// The page goes through the values of every conflict, so there is a list of them also where somebody wrote a conflict without any.
func TestConflictWithoutValues(t *testing.T) {
	p, problems := plan.Decode(`{"t": "task", "id": "t-1", "spec": "s.md", "name": "A task", "s": "p", "conflict": {"notes": []}}`)
	if !problems.Readable() {
		t.Fatal(problems)
	}
	d := view.New(p, schedule.Of(p))
	shown, _ := d.Task("t-1")
	text, err := json.Marshal(newTask(d, &shown))
	if err != nil || !strings.Contains(string(text), `"conflicts":[{"field":"notes","candidates":[]}]`) {
		t.Fatalf("%s %v", text, err)
	}
}
