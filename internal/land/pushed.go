package land

import (
	"context"
	"errors"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// Pushed is work on a task that came to the target without a landing.
type Pushed struct {
	Task    string       // "" for a review
	Attempt plan.Attempt // at the task that the work ends; zero where it ends none
	Before  string       // the commit of the target that it came after
}

// Judged is what became of such work.
type Judged struct {
	Red      string // how the check fails at the target's tip, "" where it passes
	WasRed   bool   // it failed before the work, too, so that this is not to blame
	Rejected bool   // the task was
}

// CheckPushed runs the check at the target's tip, as a landing would have done. Where it fails there and not before the work, the task is
// rejected in the target, so that the next attempt repairs it.
func CheckPushed(ctx context.Context, st *store.Store, claims *authority.Claims, o Options, p Pushed) (j Judged, err error) {
	l, err := newLander(ctx, st, claims, o)
	if err != nil {
		return j, err
	}
	defer l.reader.Close()
	defer l.checks.close()
	if _, err = l.claims.Show(ctx, l.target()); err != nil {
		return j, err
	}
	if good, err := l.checks.passAt(ctx, l.tip); err != nil || good {
		return j, err
	}
	j.Red = l.checks.output
	good, err := l.checks.passAt(ctx, p.Before)
	if j.WasRed = !good; err == nil && good {
		j.Rejected, err = l.rejectPushed(ctx, p, j.Red)
	}
	return j, err
}

// passAt reports whether the check passes at a commit of the target.
func (c *checks) passAt(ctx context.Context, commit string) (bool, error) {
	now := c.lander.tip
	defer func() { c.lander.tip = now }()
	c.lander.tip = commit
	s, err := c.lander.newStack()
	if err != nil {
		return false, err
	}
	return c.passes(ctx, s)
}

// rejectPushed rejects an attempt in the target, whether that shows it as done or not yet. Somebody may have dealt with it meanwhile.
func (l *lander) rejectPushed(ctx context.Context, p Pushed, reason string) (rejected bool, err error) {
	for range maxTries {
		if _, err := l.claims.Show(ctx, l.target()); err != nil {
			return false, err
		}
		shown, err := l.planAt(l.tip)
		if err != nil {
			return false, err
		}
		task, found := shown.Task(p.Task)
		if !found || p.Attempt.ID == "" || task.Done() && task.Attempt().ID != p.Attempt.ID {
			return false, nil
		}
		next, err := l.planCommit(ctx, &PlanChange{Do: func(p2 *plan.Plan, _ PlanInputs) (plan.Change, error) {
			if task.Done() {
				return p2.Reject(p.Task, reason)
			}
			return p2.RejectElsewhere(p.Task, reason, p.Attempt)
		}})
		if err == nil {
			err = l.change(ctx, claim.Batch{Moves: []claim.Move{{Ref: l.o.Into, Old: l.tip, New: next}}}, "ralph: land")
		}
		if !errors.Is(err, errRace) {
			return err == nil, err
		}
	}
	return false, ErrMoving
}
