package fold

import (
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// Notes that were kept may lack a name, where whoever kept them meant them otherwise: that ends nothing.
func TestNotesWithoutNames(t *testing.T) {
	note := &Note{Heard: true, Told: []Told{{Name: plan.EventAdded, Kind: plan.KindTask, ID: "t-0001", Born: "2026-01-01T00:00:00Z"}}}
	h := Of(Input{
		Graph: &git.Graph{Size: 20, Commits: make([]git.Walked, 1)}, Book: NewBook(),
		Notes: []*Note{note}, Silent: &Note{},
	})
	if len(h.Lives) != 0 || len(h.Events) != 1 {
		t.Errorf("%d lives, %d events", len(h.Lives), len(h.Events))
	}
}
