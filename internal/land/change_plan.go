package land

import (
	"context"
	"errors"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// PlanInputs are what a change of the target's plan depends on besides the plan.
type PlanInputs struct {
	Head    string          // the commit that has the plan
	Claimed map[string]bool // the tasks that have claims
}

// A PlanChange changes the target's plan in a commit of its own.
type PlanChange struct {
	Do       func(*plan.Plan, PlanInputs) (plan.Change, error) // may be called again where others change the target meanwhile; where it changes nothing, there is no commit
	Trailers func(plan.Change) []string                        // further lines of the commit's message; may be nil
	Done     plan.Change                                       // what it has changed, after ChangePlan
}

// ChangePlan changes the target's plan, wherever the target is checked out.
func ChangePlan(ctx context.Context, st *store.Store, claims *authority.Claims, o Options, c *PlanChange) error {
	l, err := newLander(ctx, st, claims, o)
	if err != nil {
		return err
	}
	defer l.reader.Close()
	if l.seen.claims, err = l.claims.See(ctx, l.target()); err != nil {
		return err
	}
	return l.changePlan(ctx, c)
}

// changePlan makes a commit on the target's tip that changes the plan, if the change is one.
func (l *lander) changePlan(ctx context.Context, c *PlanChange) error {
	do := c.Do
	c.Do = func(p *plan.Plan, in PlanInputs) (plan.Change, error) {
		change, err := do(p, in)
		if err == nil && change.Empty() {
			err = plan.ErrNothing
		}
		return change, err
	}
	for range maxTries {
		next, err := l.planCommit(ctx, c)
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
