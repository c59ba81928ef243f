package authority

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"git-ralph/internal/claim"
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
	for len(open) > 0 {
		seen, err := c.seeOwn(ctx, nil, slices.Sorted(maps.Keys(open))...)
		if err != nil {
			return lost, err
		}
		var changes []claim.Change
		for _, id := range slices.Sorted(maps.Keys(open)) {
			change, refusal := decide(seen[id].Held, open[id])
			switch {
			case refusal != "":
				lost[id] = seen[id].Held
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

// Finish sets a claim of ours to landing, after `done` on another branch than the target. Over a remote the push carries the
// branch. The error is a *RefusedError where the claim is lost; the commits stay on the branch.
func (c *Claims) Finish(ctx context.Context, id, token string, w claim.Work) (claim.Held, error) {
	return c.one(ctx, id, func(h claim.Held) (claim.Batch, claim.Refusal) { return c.protocol.Finish(h, token, w) })
}

// Return gives a claim in landing back to its holder, with the reason; with anew, the work is to begin again at the target.
func (c *Claims) Return(ctx context.Context, id, feedback string, anew bool) (claim.Held, error) {
	decide := c.protocol.Return
	if anew {
		decide = c.protocol.ReturnAnew
	}
	return c.one(ctx, id, func(h claim.Held) (claim.Batch, claim.Refusal) {
		change, refusal := decide(h, feedback)
		return claim.Batch{Changes: []claim.Change{change}}, refusal
	})
}

// ErrBranch: the claim is as expected, and the branch that goes with it is not.
var ErrBranch = errors.New("the branch is not as expected: somebody else changed it")

// one changes one claim, again where it was renewed meanwhile, and returns what is there now.
func (c *Claims) one(ctx context.Context, id string, decide func(claim.Held) (claim.Batch, claim.Refusal)) (claim.Held, error) {
	for {
		seen, err := c.seeOwn(ctx, nil, id)
		if err != nil {
			return claim.Held{}, err
		}
		batch, refusal := decide(seen[id].Held)
		if refusal != "" {
			return seen[id].Held, &RefusedError{id, refusal, seen[id].Held}
		}
		outcomes, err := c.Change(ctx, batch)
		switch {
		case err != nil:
			return seen[id].Held, err
		case outcomes[0] == claim.Skipped:
			return seen[id].Held, ErrBranch
		case outcomes[0] == claim.Done:
			seen, err = c.seeOwn(ctx, nil, id)
			return seen[id].Held, err
		}
	}
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

// parseSkew reads ralph.claims.skew: seconds, or a duration such as 90s.
func parseSkew(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		d, err = time.ParseDuration(text + "s")
	}
	if err != nil || d < 0 {
		return 0, fmt.Errorf("invalid ralph.claims.skew %q: want a duration, such as 60s", text)
	}
	return d, nil
}
