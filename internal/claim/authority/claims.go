package authority

import (
	"context"
	"errors"
	"fmt"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// ErrUnknown: the reply of the authority was lost, and it is not known whether a change was made. The next command settles it.
var ErrUnknown = errors.New("the reply was lost: it is not known whether the claim changed")

// Claims are the claims of one repository, wherever its authority is.
type Claims struct {
	repo      *git.Repo
	authority Authority
	remote    string // name of the remote, "" for the local authority
	protocol  claim.Protocol
	sightings sightings
	renewals  renewals
	clock     clock
	skew      time.Duration
}

// DefaultSkew is added to leases before a claim counts as stale, where ralph.claims.skew says nothing else.
const DefaultSkew = time.Minute

// Open returns the claims of a repository, with the authority that its configuration names. It contacts nobody.
func Open(ctx context.Context, r *git.Repo) (*Claims, error) {
	settings, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	remote, _ := settings.Get("ralph.claims.remote")
	return OpenAt(ctx, r, remote)
}

// OpenAt is Open with the name of the remote that is the authority, "" for the repository itself.
func OpenAt(ctx context.Context, r *git.Repo, remote string) (*Claims, error) {
	c := &Claims{repo: r, clock: newClock(), authority: NewLocal(r), skew: DefaultSkew}
	settings, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	if text, ok := settings.Get("ralph.claims.skew"); ok {
		if c.skew, err = config.ParseDuration(text); err != nil {
			return nil, fmt.Errorf("invalid ralph.claims.skew %q: want seconds, or a duration such as 90s", text)
		}
	}
	if remote != "" {
		if c.authority, err = NewRemote(ctx, r, remote); err != nil {
			return nil, err
		}
		c.remote = remote
	}
	c.sightings = sightings{common: r.CommonDir(), authority: c.remote}
	c.renewals = renewals{dir: r.CommonDir(), remote: c.remote}
	return c, nil
}

// Remote returns the name of the remote that is the authority, "" where the repository itself is.
func (c *Claims) Remote() string { return c.remote }

// Authority returns where the claims are.
func (c *Claims) Authority() Authority { return c.authority }

// Protocol returns what decides.
func (c *Claims) Protocol() claim.Protocol { return c.protocol }

// copyPrefix is where the claims of the authority are in this repository.
func (c *Claims) copyPrefix() string {
	if c.remote == "" {
		return Prefix
	}
	return copiesOf(c.remote)
}

// See reads the claims of tasks, or all where there are no ids, and the target, which may be nil where only holders are wanted. What
// seems over by the target was read before it. A task of ids without a claim is in the result too.
func (c *Claims) See(ctx context.Context, target *Target, ids ...string) (map[string]claim.Seen, error) {
	held, shown, err := c.read(ctx, target, ids)
	if err != nil {
		return nil, err
	}
	now := c.clock.read()
	sighted := c.sightings.observe(ctx, held, ids, now)
	return c.seen(held, shown, ids, func(h claim.Held) claim.Evidence { return c.evidence(h, sighted[h.ID], now) }), nil
}

// SeeCopies is See by the copies of claims and target, as they were read last. It knows nothing of what became of holders.
func (c *Claims) SeeCopies(ctx context.Context, target *Target) (map[string]claim.Seen, error) {
	held, err := c.Copies(ctx)
	if err != nil {
		return nil, err
	}
	shown, err := target.At(ctx, c.Copy(target.Branch))
	return c.seen(held, shown, nil, func(claim.Held) claim.Evidence { return claim.Evidence{} }), err
}

// read reads claims and target: over a remote by one fetch, where that can be. A remote reads its references one after the other, so
// that the target may be older than the claims. This matters for claims that seem over alone, which are deleted: a target that was
// rejected and claimed anew in between would show the round before. For these the target is read again, after them.
func (c *Claims) read(ctx context.Context, target *Target, ids []string) (held map[string]claim.Held, shown claim.Target, err error) {
	remote, together := c.authority.(*Remote)
	if together = together && target != nil && remote.follows(c.Copy(target.Branch)); together {
		held, err = remote.readWith(ctx, target.Branch, c.Copy(target.Branch), ids)
	} else {
		held, err = c.authority.Read(ctx, ids...)
	}
	switch {
	case err != nil:
		c.sightings.forget(ctx)
		return nil, nil, err
	case target == nil:
		return held, nil, nil
	case together:
		if shown, err = target.At(ctx, c.Copy(target.Branch)); err != nil || !target.ends(held, shown) {
			return held, shown, err
		}
	}
	shown, err = c.Show(ctx, target)
	return held, shown, err
}

// seen puts together what was read.
func (c *Claims) seen(held map[string]claim.Held, shown claim.Target, ids []string, evidence func(claim.Held) claim.Evidence) map[string]claim.Seen {
	seen := make(map[string]claim.Seen, max(len(held), len(ids)))
	for _, id := range ids {
		seen[id] = claim.Seen{Held: claim.Held{ID: id}, Target: shown}
	}
	for id, h := range held {
		seen[id] = claim.Seen{Held: h, Target: shown, Evidence: evidence(h)}
	}
	return seen
}

// evidence collects what is known of a holder.
func (c *Claims) evidence(h claim.Held, sighting claim.Sighting, now claim.Clock) claim.Evidence {
	e := claim.Evidence{Clock: now, Sighting: sighting, Skew: c.skew}
	if h.Claim.Lock != "" && h.Claim.Boot == now.Boot {
		e.Lock = ProbeLock(c.repo.Git().Environ, h.Claim.Lock)
	}
	return e
}

// Change makes changes of claims, and settles before it what is open. The outcome of each is returned; none is claim.Unknown.
// The error is ErrMoved for a batch of moves alone that is refused.
func (c *Claims) Change(ctx context.Context, b claim.Batch) ([]claim.Outcome, error) {
	if err := c.authority.Settle(ctx); err != nil {
		return nil, err
	}
	return c.change(ctx, b)
}

// change is Change after what was open has been settled.
func (c *Claims) change(ctx context.Context, b claim.Batch) ([]claim.Outcome, error) {
	if len(b.Changes)+len(b.Moves) == 0 {
		return nil, nil
	}
	outcomes, err := c.authority.Swap(ctx, b)
	if err != nil {
		return outcomes, err
	}
	for _, o := range outcomes {
		if o == claim.Unknown {
			return outcomes, ErrUnknown
		}
	}
	return outcomes, nil
}
