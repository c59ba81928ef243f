package work

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/plan"
)

// A target is what the target branch showed when it was read last.
type target struct {
	ref   string // by which it can be read here
	tip   string
	plan  *plan.Plan
	shows claim.Target
}

// into is the target, as it is read together with claims.
func (w *Worker) into() *authority.Target {
	return &authority.Target{Branch: w.Into, At: w.readTargetAt}
}

// readTarget reads the target afresh, over a remote after a fetch.
func (w *Worker) readTarget(ctx context.Context) error {
	_, err := w.Claims.Show(ctx, w.into())
	return err
}

// readTargetAt reads the target by the name that it has here.
func (w *Worker) readTargetAt(ctx context.Context, ref string) (claim.Target, error) {
	tip, err := w.Store.Repo().IDAt(ctx, ref)
	if err != nil {
		return nil, err
	}
	if err := noTarget(w.Into, tip); err != nil {
		return nil, err
	}
	if tip == w.target.tip {
		return w.target.shows, nil
	}
	snap, err := w.Store.At(ctx, tip)
	if err != nil {
		return nil, err
	}
	p, err := snap.Valid()
	if err != nil {
		return nil, err
	}
	shows := claim.Target{}
	for id, round := range p.Rounds() {
		shows[id] = claim.Task{Pending: round.Pending, After: round.After}
	}
	w.target = target{ref, tip, p, shows}
	return shows, nil
}

// noTarget returns an error where the target has no commit.
func noTarget(ref, tip string) error {
	if tip != "" {
		return nil
	}
	return fmt.Errorf("target %s: there is no such branch, or it has no commit", strings.TrimPrefix(ref, "refs/heads/"))
}
