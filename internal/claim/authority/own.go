package authority

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git/commit"
)

// RefusedError says that a claim of ours cannot be changed, because it was taken, is gone, or is not in the right state.
type RefusedError struct {
	ID      string
	Refusal claim.Refusal
	Held    claim.Held // what is there now
}

func (e *RefusedError) Error() string {
	switch {
	case !e.Held.Exists():
		return fmt.Sprintf("claim of %s: there is none", e.ID)
	case e.Held.Bad != "":
		return fmt.Sprintf("claim of %s: %s", e.ID, e.Held.Bad)
	case e.Refusal == claim.OnTarget:
		return fmt.Sprintf("claim of %s: its work is on the target itself: want another branch, which can land", e.ID)
	}
	return fmt.Sprintf("claim of %s: %s; %s has it", e.ID, e.Refusal, e.Held.Claim.Holder())
}

// Own are claims of ours: the token of each, by task.
type Own map[string]string

// decision is what the protocol makes of one claim.
type decision func(h claim.Held, token string) (claim.Change, claim.Refusal)

// Renew keeps claims fresh; it is called after each third of their lease. It returns those that are lost, by task: their agents
// must stop. Those in landing need no renewal. Over a remote, one push renews the claims of all workers of a clone that called it
// within the last third.
func (c *Claims) Renew(ctx context.Context, own Own) (lost map[string]claim.Held, err error) {
	if c.remote != "" {
		leases, err := c.leases(ctx, own)
		if err != nil {
			return nil, err
		}
		return c.renewTogether(ctx, own, leases)
	}
	return c.each(ctx, own, c.protocol.Renew, c.protocol.Renewals)
}

// leases returns the leases of claims of ours by the copies: they do not change.
func (c *Claims) leases(ctx context.Context, own Own) (map[string]time.Duration, error) {
	copies, err := c.Copies(ctx)
	leases := map[string]time.Duration{}
	for id, token := range own {
		if h := copies[id]; h.Is(token) {
			leases[id] = h.Claim.LeaseTime()
		}
	}
	return leases, err
}

// Release deletes claims of ours. It returns those that were lost before.
func (c *Claims) Release(ctx context.Context, own Own) (lost map[string]claim.Held, err error) {
	return c.each(ctx, own, c.protocol.End, func(changes []claim.Change) claim.Batch { return claim.Batch{Changes: changes} })
}

// each changes claims of ours, each by itself. A change that loses against a renewal of our own process is decided again.
func (c *Claims) each(ctx context.Context, own Own, decide decision, batch func([]claim.Change) claim.Batch) (map[string]claim.Held, error) {
	lost, open := map[string]claim.Held{}, maps.Clone(own)
	if err := c.authority.Settle(ctx); err != nil {
		return nil, err
	}
	for held := c.ownCopies(ctx, open); len(open) > 0; held = nil {
		ids := slices.Sorted(maps.Keys(open))
		if held == nil {
			var err error
			if held, _, err = c.read(ctx, nil, ids); err != nil {
				return lost, err
			}
		}
		var changes []claim.Change
		for _, id := range ids {
			h := heldOf(held, id)
			change, refusal := decide(h, open[id])
			switch {
			case refusal != "":
				lost[id] = h
				delete(open, id)
			case change.ID == "":
				delete(open, id)
			default:
				changes = append(changes, change)
			}
		}
		outcomes, err := c.change(ctx, batch(changes))
		for i, outcome := range outcomes {
			if outcome == claim.Done {
				delete(open, changes[i].ID)
			}
		}
		if err != nil {
			return lost, err
		}
	}
	return lost, nil
}

// ownCopies returns the copies of claims of ours, nil where one of them does not show that it is ours. What has changed at the remote
// since makes a change fail, and is read then; else nothing has to be read before a claim of ours is changed.
func (c *Claims) ownCopies(ctx context.Context, own Own) map[string]claim.Held {
	if c.remote == "" {
		return nil
	}
	held, err := readClaims(ctx, c.repo, c.copyPrefix(), slices.Collect(maps.Keys(own)))
	for id, token := range own {
		if h := held[id]; err != nil || !h.Is(token) {
			return nil
		}
	}
	return held
}

// Finish sets a claim of ours to landing, after `done` on another branch than the target. Over a remote the push carries the
// branch. The error is a *RefusedError where the claim is lost; the commits stay on the branch.
func (c *Claims) Finish(ctx context.Context, id, token string, w claim.Work) (claim.Held, error) {
	return c.one(ctx, id, func(h claim.Held) (claim.Batch, claim.Refusal) { return c.protocol.Finish(h, token, w) })
}

// A Returned is a claim in landing that is given back to its holder.
type Returned struct {
	Held     claim.Held // as it was seen
	Feedback string     // why
	Anew     bool       // the work is to begin again at the target
}

// Return gives claims in landing back to their holders, each by itself, as long as they name the same commit. It returns those with
// which somebody else dealt.
func (c *Claims) Return(ctx context.Context, all ...Returned) (lost map[string]claim.Held, err error) {
	own, back := Own{}, map[string]Returned{}
	for _, r := range all {
		own[r.Held.ID], back[r.Held.ID] = r.Held.Claim.Token, r
	}
	decide := func(h claim.Held, token string) (claim.Change, claim.Refusal) {
		r := back[h.ID]
		switch {
		case !h.Is(token) || h.Claim.Commit != r.Held.Claim.Commit:
			return claim.Change{}, claim.NotOwn
		case r.Anew:
			return c.protocol.ReturnAnew(h, r.Feedback)
		}
		return c.protocol.Return(h, r.Feedback)
	}
	return c.each(ctx, own, decide, func(changes []claim.Change) claim.Batch { return claim.Batch{Changes: changes} })
}

// ErrBranch: the claim is as expected, and the branch that goes with it is not.
var ErrBranch = errors.New("the branch is not as expected: somebody else changed it")

// one changes one claim, again where it was renewed meanwhile, and returns what is there now. As with claims of ours, it begins with
// the copy.
func (c *Claims) one(ctx context.Context, id string, decide func(claim.Held) (claim.Batch, claim.Refusal)) (claim.Held, error) {
	for fresh := c.remote == ""; ; fresh = true {
		h, err := c.readOne(ctx, id, fresh)
		if err != nil {
			return h, err
		}
		batch, refusal := decide(h)
		if refusal != "" && !fresh {
			continue
		}
		if refusal != "" {
			return h, &RefusedError{id, refusal, h}
		}
		outcomes, err := c.Change(ctx, batch)
		switch {
		case err != nil:
			return h, err
		case outcomes[0] == claim.Skipped:
			return h, ErrBranch
		case outcomes[0] == claim.Done:
			put := batch.Changes[0].New
			object, err := commit.WriteBlob(ctx, c.repo, []byte(put.Text()))
			return claim.Held{ID: id, Object: object, Claim: put}, err
		}
	}
}

// readOne reads one claim, or its copy.
func (c *Claims) readOne(ctx context.Context, id string, fresh bool) (claim.Held, error) {
	if !fresh {
		held, err := readClaims(ctx, c.repo, c.copyPrefix(), []string{id})
		return heldOf(held, id), err
	}
	held, _, err := c.read(ctx, nil, []string{id})
	return heldOf(held, id), err
}

// Clear deletes the claims that are over: those whose round the target does not show as pending any more.
func (c *Claims) Clear(ctx context.Context, seen map[string]claim.Seen) (cleared []string, err error) {
	var changes []claim.Change
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		if change, over := c.protocol.Clear(seen[id]); over {
			changes = append(changes, change)
		}
	}
	outcomes, err := c.Change(ctx, claim.Batch{Changes: changes})
	for i, outcome := range outcomes {
		if outcome == claim.Done {
			cleared = append(cleared, changes[i].ID)
		}
	}
	return cleared, err
}
