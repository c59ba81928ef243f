package fold

import (
	"testing"

	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/record"
	"git-ralph/internal/plan"
)

// Entries that were kept may lack an identity, where whoever kept them meant them otherwise: that is no reason to fail.
func TestEntriesWithoutIdentities(t *testing.T) {
	e := &record.Entry{Message: &record.Message{}, Events: []record.Event{{Name: plan.EventAdded, Kind: plan.KindTask, ID: "t-0001", CreatedAt: "2026-01-01T00:00:00Z"}}}
	h, err := Build(Input{
		Source:  record.Source{Graph: &walk.Graph{IDSize: 20, Commits: make([]walk.Commit, 1)}, Lines: record.NewLineTable()},
		Entries: []*record.Entry{e},
	})
	if err != nil || len(h.Lives) != 0 || len(h.Events) != 1 {
		t.Errorf("%d lives, %d events, %v", len(h.Lives), len(h.Events), err)
	}
}
