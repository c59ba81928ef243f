package land

import (
	"context"
	"errors"

	"git-ralph/internal/claim"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// followItems changes the target's plan by what follows from landed work for the items that it was done for. Two branches may have
// finished the last research of a group: neither could know.
func (l *lander) followItems(ctx context.Context) error {
	for range maxTries {
		next, err := l.planCommit(ctx, l.follows)
		if errors.Is(err, plan.ErrNothing) {
			return nil
		}
		if err != nil {
			return err
		}
		err = l.change(ctx, claim.Batch{Moves: []claim.Move{{Ref: l.o.Into, Old: l.tip, New: next}}}, "ralph: land")
		if err == nil {
			l.tip = next
			l.result.Commits = append(l.result.Commits, next)
		}
		if !errors.Is(err, errRace) {
			return err
		}
		if _, err := l.claims.Show(ctx, l.target()); err != nil {
			return err
		}
	}
	return ErrMoving
}

// follows is what followItems changes. The error is plan.ErrNothing where nothing follows.
func (l *lander) follows(p *plan.Plan) (plan.Change, error) {
	if len(p.Of(plan.KindItem)) == 0 {
		return plan.Change{}, plan.ErrNothing
	}
	claimed := map[string]bool{}
	for id, s := range l.seen.claims {
		claimed[id] = s.Held.Exists()
	}
	change, err := pipeline.FollowLanding(p, pipeline.Following{Head: l.tip, Stamp: l.st.Stamp(), Claimed: claimed, Integration: l.o.Integration})
	if err == nil && change.Empty() {
		err = plan.ErrNothing
	}
	return change, err
}
