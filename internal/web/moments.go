package web

import (
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
}

// newMoments returns the commits of HEAD's history that changed the plan, the oldest first.
func newMoments(d *view.Data) []moment {
	all := []moment{}
	for _, c := range slices.Backward(d.History.PlanCommits()) {
		all = append(all, moment{hexOf(d, c.ID), timeText(time.Unix(c.Time, 0).In(d.Moment.Location()))})
	}
	return all
}

// hexOf returns the id of a commit in hex.
func hexOf(d *view.Data, id git.Hash) string { return hex.EncodeToString(id[:d.History.IDSize()]) }
