package land

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
)

// A turn is the wait of a landing for those of other clones. Clones that push to one branch at once refuse each other: each of them
// merges and pushes again and again. So one of those that wait lands what waits for all of them, and the others find theirs landed.
//
// This is for speed alone: two who land at once lose nothing, since one of the pushes is refused. So who has waited for long lands
// in any case; the one whose turn it is may be gone.
type turn struct {
	*lander
	own     []*branch
	now     authority.Turn // at the last look
	waiting int            // claims
	timeout time.Duration
	since   time.Time // when the target was seen to move last
	kept    bool      // after a landing
}

// Of how long to wait. A look costs a git process here and at the remote, so where many wait each of them looks less often.
const (
	firstLook = 200 * time.Millisecond
	nextLook  = 30 * time.Millisecond // more for each claim that waits
	lastLook  = 5 * time.Second

	stillTarget = 15 * time.Second // and up to twice that
	stillCheck  = time.Minute      // where a check runs before each landing
)

// takesTurns reports whether this landing is for branches of our own together with all that waits, which other clones land too.
func (l *lander) takesTurns() bool {
	return l.claims.Remote() != "" && l.o.All && len(l.o.Branches) > 0 && !l.o.DryRun
}

// takeTurn waits until the branches of the queue have landed with others, or until it is their turn; then it returns all that waits.
// The turn is nil where it is not ours.
func (l *lander) takeTurn(ctx context.Context, own []*branch) ([]*branch, *turn, error) {
	if !l.takesTurns() {
		return own, nil, nil
	}
	if err := l.finishOwn(ctx, present(own)); err != nil {
		return nil, nil, err
	}
	wait := stillTarget
	if l.o.Check != "" {
		wait = stillCheck
	}
	t := &turn{lander: l, own: own, timeout: wait + rand.N(wait), since: time.Now()}
	var err error
	if t.now, err = l.claims.Turn(ctx, l.o.Into); err != nil {
		return nil, nil, err
	}
	for t.waiting = len(l.seen.claims); ; {
		if t.now.IsTaken() && !t.isLate() {
			if err := t.wait(ctx); err != nil {
				return nil, nil, err
			}
		}
		seen, err := l.claims.See(ctx, l.target())
		if err != nil || !t.waits(seen) {
			return own, nil, err
		}
		if mine, err := t.take(ctx); err != nil || mine {
			if err != nil {
				return nil, nil, err
			}
			queue, err := l.queueOf(ctx, seen, true)
			return queue, t, err
		}
		if err := t.wait(ctx); err != nil {
			return nil, nil, err
		}
	}
}

// finishOwn sets the claims of branches to landing, where they are not yet: others land only what a claim names.
func (l *lander) finishOwn(ctx context.Context, own []*branch) error {
	if !slices.ContainsFunc(own, func(b *branch) bool { return len(b.landing) == 0 }) {
		return nil
	}
	if err := l.readCommits(ctx, own); err != nil {
		return err
	}
	if _, err := l.stackOf(ctx, own); err != nil || l.todo.empty() {
		return err
	}
	return l.acquire(ctx)
}

// waits reports whether anything of ours waits to land; else it notes what became of it.
func (t *turn) waits(seen map[string]claim.Seen) bool {
	ours := false
	t.waiting = 0
	for _, s := range seen {
		if c := s.Held.Claim; s.Held.Bad == "" && c.State == claim.Landing && !t.claims.Protocol().Over(s) {
			t.waiting++
			ours = ours || slices.ContainsFunc(t.own, func(b *branch) bool { return b.ref == c.Branch && b.Commit == c.Commit })
		}
	}
	if !ours {
		t.noteEnded(seen)
	}
	return ours
}

// take takes the turn, if nobody has it, or if we have waited for long.
func (t *turn) take(ctx context.Context) (bool, error) {
	if t.isLate() || t.tip != t.now.Tip {
		return t.isLate(), nil
	}
	return t.claims.TakeTurn(ctx, t.o.Into, t.now)
}

// isLate reports whether we have waited long enough for somebody else to land.
func (t *turn) isLate() bool { return time.Since(t.since) > t.timeout }

// wait waits until the turn is over that somebody has, or we have waited long enough.
func (t *turn) wait(ctx context.Context) error {
	for !t.isLate() {
		d := min(lastLook, firstLook+time.Duration(t.waiting)*nextLook)
		if err := pause(ctx, d/2+rand.N(d)); err != nil {
			return err
		}
		was := t.now
		now, err := t.claims.Turn(ctx, t.o.Into)
		if err != nil {
			return err
		}
		if t.now = now; now.Tip != was.Tip {
			t.since = time.Now()
		}
		if now != was {
			return nil
		}
	}
	return nil
}

// keep takes the turn again after a landing, where branches did not land: until their claims are returned, the next one would try
// them too.
func (t *turn) keep(ctx context.Context, queue []*branch) error {
	if t == nil || !slices.ContainsFunc(queue, func(b *branch) bool { return b.Outcome != Landed && len(b.landing) > 0 }) {
		return nil
	}
	now, err := t.claims.Turn(ctx, t.o.Into)
	if err != nil || now.IsTaken() || now.Tip != t.tip {
		return err
	}
	won, err := t.claims.TakeTurn(ctx, t.o.Into, now)
	if won {
		t.now, t.kept = now, true
	}
	return err
}

// end gives the turn back, unless the target has moved since.
func (t *turn) end() {
	if t != nil && (t.kept || t.result.Landed() == 0) {
		t.claims.EndTurn(context.Background(), t.o.Into, t.now.Tip) //nolint:errcheck // the others wait for some seconds then
	}
}

// noteEnded notes which of our branches another landing has landed, or given back to us. What else became of one, merging it shows.
func (t *turn) noteEnded(seen map[string]claim.Seen) {
	for _, b := range t.own {
		for _, id := range b.landing {
			h := seen[id].Held
			if h.Bad == "" && h.Claim.State == claim.Working && h.Claim.Feedback != "" && h.Claim.Commit == b.Commit {
				b.refuse(Conflict, h.Claim.Feedback)
				b.Tasks, b.Then = []string{id}, "returned"
			}
		}
		if has, err := t.reader.IsAncestor(b.Commit, t.tip); b.Outcome == "" && err == nil && has {
			b.Outcome, b.landing = Contained, slices.DeleteFunc(b.landing, func(id string) bool { return !seen[id].Held.Exists() })
		}
	}
}

// backOff waits after a race that another clone won, longer each time: those who lost together do not try together again.
func (l *lander) backOff(ctx context.Context, races int) error {
	if l.claims.Remote() == "" {
		return nil
	}
	d := firstLook << min(races, 4)
	return pause(ctx, d/2+rand.N(d))
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
