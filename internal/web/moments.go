package web

import (
	"context"
	"encoding/hex"
	"slices"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/view"
)

// A moment is the JSON of a commit that changed the plan.
type moment struct {
	Commit string `json:"commit"`
	At     string `json:"at"`
	Now    bool   `json:"now,omitempty"` // the present plan is still the one of this commit
}

// readMoments returns the commits of HEAD's history that changed the plan, the oldest first.
func readMoments(ctx context.Context, p *place, d *view.Data, _ func(string) string) (any, error) {
	all := []moment{}
	for _, c := range slices.Backward(d.History.PlanCommits()) {
		all = append(all, moment{Commit: hexOf(d, c.ID), At: timeText(time.Unix(c.Time, 0).In(d.Moment.Location()))})
	}
	if changed, err := p.tree.HasUncommitted(ctx); err == nil && !changed && len(all) > 0 {
		all[len(all)-1].Now = true
	}
	return all, nil
}

// hexOf returns the id of a commit in hex.
func hexOf(d *view.Data, id git.Hash) string { return hex.EncodeToString(id[:d.History.IDSize()]) }
