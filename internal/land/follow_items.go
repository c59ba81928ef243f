package land

import (
	"context"
	"errors"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// followItems changes the target's plan by what follows from landed work for the items that it was done for. Two branches may have
// finished the last research of a group: neither could know.
func (l *lander) followItems(ctx context.Context) error { return l.changePlan(ctx, l.follows) }

// ChangePlan changes the target's plan in a commit of its own, wherever the target is checked out. claimed are the tasks that have claims.
// do may be called again where others change the target meanwhile; where it changes nothing, there is no commit.
func ChangePlan(
	ctx context.Context, st *store.Store, claims *authority.Claims, o Options, do func(p *plan.Plan, claimed map[string]bool) (plan.Change, error),
) error {
	l, err := newLander(ctx, st, claims, o)
	if err != nil {
		return err
	}
	defer l.reader.Close()
	if l.seen.claims, err = l.claims.See(ctx, l.target()); err != nil {
		return err
	}
	return l.changePlan(ctx, func(p *plan.Plan) (plan.Change, error) { return do(p, l.claimed()) })
}

// changePlan makes a commit on the target's tip that changes the plan, if do changes anything.
func (l *lander) changePlan(ctx context.Context, do func(*plan.Plan) (plan.Change, error)) error {
	some := func(p *plan.Plan) (plan.Change, error) {
		change, err := do(p)
		if err == nil && change.Empty() {
			err = plan.ErrNothing
		}
		return change, err
	}
	for range maxTries {
		next, err := l.planCommit(ctx, some)
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

// claimed returns the tasks that have claims.
func (l *lander) claimed() map[string]bool {
	claimed := map[string]bool{}
	for id, s := range l.seen.claims {
		claimed[id] = s.Held.Exists()
	}
	return claimed
}

// follows is what followItems changes. The error is plan.ErrNothing where there are no items.
func (l *lander) follows(p *plan.Plan) (plan.Change, error) {
	if len(p.Of(plan.KindItem)) == 0 {
		return plan.Change{}, plan.ErrNothing
	}
	return pipeline.FollowLanding(p, pipeline.Following{Head: l.tip, Stamp: l.st.Stamp(), Claimed: l.claimed(), Integration: l.o.Integration})
}
