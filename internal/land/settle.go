package land

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
)

// settle gives the tasks of branches that did not land back: after the branches that they conflict with have landed.
func (l *lander) settle(ctx context.Context, queue []*branch) error {
	var back []returned
	var failed error
	for _, b := range queue {
		var err error
		switch why, anew := b.whyReturned(); {
		case len(b.landing) == 0:
		case why != "":
			var some []returned
			some, err = l.giveBack(ctx, b, why, anew)
			back = append(back, some...)
		case b.Outcome == Failed:
			err = l.reject(ctx, b)
		case b.Outcome == Contained, b.Outcome == NotPending:
			err = l.clear(ctx, b)
		}
		if err != nil {
			failed = err
			break
		}
	}
	return errors.Join(failed, l.returnAll(ctx, back))
}

// whyReturned says why the claims of a branch go back to their holders, "" where they do not. With anew nothing that is added to it makes
// it land: the next attempt begins at the target, and the branch stays where it is.
func (b *branch) whyReturned() (why string, anew bool) {
	switch b.Outcome {
	case Conflict, InvalidPlan:
		return cmp.Or(b.Reason, "merging "+b.Name+" into the target has conflicts in "+strings.Join(b.Paths, ", ")), false
	case Impossible:
		return b.Name + " has a path that git does not check out: " + strings.Join(b.Paths, ", "), false
	case Unusable:
		return "git cannot merge " + b.Name + ", or check it out: " + b.Reason, false
	case Together:
		return b.Reason, false
	case Unrelated:
		why = "it has no commit in common with the target"
	case Rewritten:
		why = cmp.Or(b.Reason, "the commit that it began at is no longer in the target, which somebody rewrote")
	case Missing:
		why = cmp.Or(b.Reason, "its commit is gone")
	case NotPending:
		if !b.other {
			return "", false
		}
		why = "it ends other tasks, too: " + b.Reason
	default:
		return "", false
	}
	return b.Name + " cannot land: " + why, true
}

// returned is a claim of a branch that goes back to its holder.
type returned struct {
	authority.Returned
	branch *branch
}

// giveBack returns the claims of a branch that are to be returned to their holders, who go on from it. After too many returns it sets the
// tasks aside.
func (l *lander) giveBack(ctx context.Context, b *branch, why string, anew bool) (back []returned, err error) {
	for _, id := range b.landing {
		h := l.seenClaim(id).Held
		switch {
		case !h.Exists() || h.Bad != "" || h.Claim.State != claim.Landing || h.Claim.Commit != b.Commit: // somebody else dealt with it
		case h.Claim.Returns < l.o.Attempts:
			back = append(back, returned{authority.Returned{Held: h, Feedback: why, Anew: anew}, b})
		default:
			if err := l.setAside(ctx, b, id, why); err != nil {
				return back, err
			}
		}
	}
	return back, nil
}

// returnAll gives claims back, all of them by one push where they are at a remote.
func (l *lander) returnAll(ctx context.Context, all []returned) error {
	if len(all) == 0 {
		return nil
	}
	claims := make([]authority.Returned, len(all))
	for i, r := range all {
		claims[i] = r.Returned
	}
	lost, err := l.claims.Return(ctx, claims...)
	for _, r := range all {
		if h, isLost := lost[r.Held.ID]; isLost {
			l.say("%v", &authority.RefusedError{ID: r.Held.ID, Refusal: claim.NotOwn, Held: h})
		} else if err == nil {
			r.branch.Then = "returned"
		}
	}
	return err
}

// reject rejects the attempt of a branch at its tasks: a tombstone in the target's plan, and the end of the claim.
func (l *lander) reject(ctx context.Context, b *branch) error {
	done, err := l.planAt(b.Commit)
	if err != nil {
		return err
	}
	for _, id := range b.landing {
		task, _ := done.Task(id)
		err := l.endClaim(ctx, b, id, func(p *plan.Plan) (plan.Change, error) { return p.RejectElsewhere(id, b.Reason, task.Attempt()) })
		if err != nil {
			return err
		}
		b.Then = "rejected"
	}
	return nil
}

// setAside makes a task wait for an issue that says why it does not land.
func (l *lander) setAside(ctx context.Context, b *branch, id, why string) error {
	why = fmt.Sprintf("it was returned %d times and does not land: %s", l.o.Attempts, why)
	err := l.endClaim(ctx, b, id, func(p *plan.Plan) (plan.Change, error) { return l.wait(p, id, why) })
	if err == nil {
		b.Then = "set aside"
	}
	return err
}

// endClaim changes the target's plan and deletes the claim of a task of a branch in one transaction.
func (l *lander) endClaim(ctx context.Context, b *branch, id string, do func(*plan.Plan) (plan.Change, error)) error {
	return l.endClaimIf(ctx, id, func(h claim.Held) bool { return h.Claim.State == claim.Landing && h.Claim.Commit == b.Commit }, do)
}

// endClaimIf is endClaim for a claim that is as expected; with another one somebody else dealt with the task.
func (l *lander) endClaimIf(ctx context.Context, id string, expected func(claim.Held) bool, do func(*plan.Plan) (plan.Change, error)) error {
	for range maxTries {
		seen, err := l.claims.See(ctx, l.target(), id)
		if err != nil {
			return err
		}
		h := seen[id].Held
		if !h.Exists() || h.Bad != "" || !expected(h) || !seen[id].Target.Round(h.Claim) {
			return nil
		}
		next, err := l.planCommit(ctx, &PlanChange{Do: func(p *plan.Plan, _ PlanInputs) (plan.Change, error) { return do(p) }})
		if err != nil {
			return err
		}
		err = l.change(ctx, claim.Batch{
			Moves: []claim.Move{{Ref: l.o.Into, Old: l.tip, New: next}}, Changes: []claim.Change{{ID: id, Old: h.Object, Do: claim.Delete}},
		}, "ralph: land")
		if !errors.Is(err, errRace) {
			if err == nil {
				l.tip = next
				l.result.Commits = append(l.result.Commits, next)
			}
			return err
		}
	}
	return ErrMoving
}

// planCommit makes a commit on the target's tip that changes the plan.
func (l *lander) planCommit(ctx context.Context, c *PlanChange) (string, error) {
	p, err := l.planAt(l.tip)
	if err != nil {
		return "", err
	}
	change, err := c.Do(p, PlanInputs{l.tip, l.claimed()})
	if err != nil {
		return "", err
	}
	c.Done = change
	tree, err := l.trees.TreeOf(l.tip)
	if err == nil {
		tree, err = l.trees.With(tree, l.st.PlanPath(), "100644", l.trees.AddBlob(p.Encode()))
	}
	if err == nil {
		tree, err = l.trees.Write(ctx, tree)
	}
	if err != nil {
		return "", err
	}
	message := l.st.Message(ctx, strings.TrimPrefix(l.o.Into, "refs/heads/"), change.Events, l.st.Stamp().Now)
	if c.Trailers != nil {
		message = withTrailers(message, c.Trailers(change))
	}
	return commit.WriteCommit(ctx, l.repo, tree, []string{l.tip}, message)
}

// clear deletes the claims of a branch that are over: the target has the work already, or does not want it any more. Where a task is pending there all the same, nothing is left to land
// for it, and it is free again.
func (l *lander) clear(ctx context.Context, b *branch) error {
	seen, err := l.claims.See(ctx, l.target(), b.landing...)
	if err != nil {
		return err
	}
	var changes []claim.Change
	for _, s := range seen {
		if c := s.Held.Claim; s.Held.Bad == "" && c.State == claim.Landing && c.Commit == b.Commit {
			changes = append(changes, claim.Change{ID: c.ID, Old: s.Held.Object, Do: claim.Delete})
		}
	}
	_, err = l.claims.Change(ctx, claim.Batch{Changes: changes})
	return err
}
