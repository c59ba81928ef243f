package land

import (
	"context"
	"maps"
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
	objects map[string]string // what one claim of each of our branches that wait points to
	now     authority.Turn    // at the last look
	took    time.Duration     // by the last look
	slowest time.Duration     // of the looks
	paused  time.Duration     // before the last look, on average
	idle    int               // looks in a row before the last one at which nobody had the turn for this tip
	timeout time.Duration
	since   time.Time // when the target was seen to move last
	won     string    // the tip for which it is our turn, "" for none
	queue   []*branch // of our turn
}

// Of how long to wait. A look costs processes here and at the remote. Where it takes long, many wait, and each looks less often.
const (
	firstLook = 200 * time.Millisecond
	lastLook  = 5 * time.Second
	dared     = 3   // how many try to take a turn in the time of a push
	restLooks = 8   // times as long as a look takes
	lateLooks = 100 // times as long more: a landing takes longer too where looks do

	stillTarget = 15 * time.Second // and up to twice that
	stillCheck  = time.Minute      // where a check runs before each landing
)

// takesTurns reports whether this landing is for branches of our own together with all that waits, which other clones land too.
func (l *lander) takesTurns() bool {
	return l.claims.Remote() != "" && l.o.All && len(l.o.Branches) > 0 && !l.o.DryRun
}

// begin returns the queue to begin with. Where clones take turns it has our own branches, whose claims are in landing: others land only
// what a claim names. The copies are enough for that where they allow it, since others read the claims before they land.
func (l *lander) begin(ctx context.Context) ([]*branch, error) {
	if !l.takesTurns() {
		return l.queue(ctx, l.o.All)
	}
	if seen, err := l.claims.SeeCopies(ctx, l.target()); err == nil {
		if own, err := l.queueOf(ctx, seen, false); err == nil {
			if done, err := l.finishOwn(ctx, own, true); done && err == nil {
				return own, nil
			}
		}
	}
	own, err := l.queue(ctx, false)
	if err == nil {
		_, err = l.finishOwn(ctx, present(own), false)
	}
	return own, err
}

// finishOwn sets the claims of branches to landing, where they are not yet. By copies it does so only where nothing else is to be done,
// and reports whether that is so.
func (l *lander) finishOwn(ctx context.Context, own []*branch, copies bool) (done bool, err error) {
	if copies && len(present(own)) < len(own) {
		return false, nil
	}
	if !slices.ContainsFunc(own, func(b *branch) bool { return len(b.landing) == 0 }) {
		return true, nil
	}
	if err := l.readCommits(ctx, own); err != nil {
		return false, err
	}
	if _, err := l.stackOf(ctx, own); err != nil {
		return false, err
	}
	if copies && (len(l.todo.take) > 0 || slices.ContainsFunc(own, func(b *branch) bool { return b.Outcome != "" })) {
		return false, nil
	}
	if !l.todo.empty() {
		began := time.Now()
		err = l.acquire(ctx)
		l.pushing = time.Since(began)
	}
	return true, err
}

// takeTurn waits until the branches of the queue have landed with others, or until it is their turn; then it returns all that waits.
func (l *lander) takeTurn(ctx context.Context, own []*branch) ([]*branch, error) {
	if !l.takesTurns() {
		return own, nil
	}
	wait := stillTarget
	if l.o.Check != "" {
		wait = stillCheck
	}
	t := &turn{lander: l, own: own, timeout: wait + rand.N(wait), since: time.Now()}
	if t.waits(l.seen.claims); len(t.objects) == 0 {
		return own, nil
	}
	err := t.look(ctx)
	for err == nil && len(t.objects) > 0 {
		if !maps.Equal(t.objects, t.now.Claims) { // landed, or returned
			if err = t.see(ctx, t.claimed()...); err != nil || len(t.objects) == 0 {
				break
			}
		}
		if t.isLate() || !t.now.IsTaken() && t.dares() {
			if mine, err := t.take(ctx); err != nil {
				return own, err
			} else if mine {
				return t.all(ctx)
			}
		}
		err = t.wait(ctx)
	}
	return own, err
}

// claimed returns the tasks of our branches.
func (t *turn) claimed() (ids []string) {
	for _, b := range t.own {
		ids = append(ids, b.landing...)
	}
	return ids
}

// see reads what became of our branches, by the claims of ids, or all.
func (t *turn) see(ctx context.Context, ids ...string) error {
	seen, err := t.claims.See(ctx, t.target(), ids...)
	if err != nil {
		return err
	}
	t.seen.claims = seen
	if t.waits(seen); len(t.objects) == 0 {
		t.noteEnded(seen)
	}
	return nil
}

// all returns all that waits, in our turn.
func (t *turn) all(ctx context.Context) (queue []*branch, err error) {
	t.lander.turn = t
	if err = t.see(ctx); err != nil || len(t.objects) == 0 { // landed just now
		return t.own, err
	}
	t.queue, err = t.queueOf(ctx, t.seen.claims, true)
	return t.queue, err
}

// waits notes by which claims our branches wait to land.
func (t *turn) waits(seen map[string]claim.Seen) {
	t.objects = map[string]string{}
	known := map[*branch]bool{}
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		s := seen[id]
		c := s.Held.Claim
		if s.Held.Bad != "" || c.State != claim.Landing || t.claims.Protocol().Over(s) {
			continue
		}
		for _, b := range t.own {
			if b.ref == c.Branch && b.Commit == c.Commit && !known[b] {
				known[b], t.objects[id] = true, s.Held.Object
			}
		}
	}
}

// take takes the turn, if nobody has it, or if we have waited for long.
func (t *turn) take(ctx context.Context) (bool, error) {
	if t.isLate() {
		return true, nil
	}
	won, err := t.claims.TakeTurn(ctx, t.o.Into, t.now)
	if won {
		t.won = t.now.Tip
	}
	return won, err
}

// dares reports whether to try to take a turn that nobody has.
func (t *turn) dares() bool { return rand.Float64() < t.chance() }

// chance returns how probable it is to be that we try to take a turn that nobody has. All who have waited see that at once, and one of
// those who push wins: so few try in the time that a push takes. How many claims wait to land is not known, only how many there are: as long
// as nobody takes the turn, it becomes more probable. Who has just come does not wait.
func (t *turn) chance() float64 {
	crowd := float64(t.now.Others) * float64(t.pushing)
	if t.paused == 0 || crowd == 0 {
		return 1
	}
	return min(1, dared*float64(t.paused)/crowd*float64(int(1)<<min(t.idle, 16)))
}

// isLate reports whether we have waited long enough for somebody else to land.
func (t *turn) isLate() bool { return time.Since(t.since) > t.timeout+lateLooks*t.slowest }

// look looks whose turn it is, and whether our branches still wait.
func (t *turn) look(ctx context.Context) (err error) {
	began, before := time.Now(), t.now
	t.now, err = t.claims.Turn(ctx, t.o.Into, slices.Sorted(maps.Keys(t.objects))...)
	if t.idle++; before.IsTaken() || t.now.Tip != before.Tip {
		t.idle = 0
	}
	t.took = time.Since(began)
	t.slowest = max(t.slowest, t.took)
	return err
}

// wait waits, and looks again.
func (t *turn) wait(ctx context.Context) error {
	d := min(lastLook, max(firstLook, restLooks*t.took))
	t.paused = d
	if err := authority.Pause(ctx, d/2, d); err != nil {
		return err
	}
	tip := t.now.Tip
	err := t.look(ctx)
	if t.now.Tip != tip {
		t.since = time.Now()
	}
	return err
}

// keep makes a landing keep the turn, where branches of the queue do not land with it: until their claims are returned, the next one
// would try them too. It reports whether it does.
func (t *turn) keep(ctx context.Context, batch *claim.Batch, landed []*branch) (bool, error) {
	if t == nil || t.won != batch.Moves[0].Old || !slices.ContainsFunc(t.queue, func(b *branch) bool {
		return len(b.landing) > 0 && b.Outcome != Landed && !slices.Contains(landed, b)
	}) {
		return false, nil
	}
	move, err := t.claims.NextTurn(ctx, batch.Moves[0])
	batch.Moves = append(batch.Moves, move)
	return true, err
}

// hasLanded notes whose turn it is after a landing, or after one that was refused: the next one does not depend on the turn.
func (t *turn) hasLanded(tip string, kept bool, err error) {
	switch {
	case t == nil:
	case err != nil:
		t.queue = nil
	case kept:
		t.won = tip
	default:
		t.won = ""
	}
}

// end gives the turn back, unless the target has moved since.
func (t *turn) end() {
	if t != nil && t.won != "" {
		t.claims.EndTurn(context.Background(), t.o.Into, t.won) //nolint:errcheck // the others wait for some seconds then
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
		if b.Outcome == "" && t.isIn(b, t.tip) {
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
	return authority.Pause(ctx, d/2, d)
}
