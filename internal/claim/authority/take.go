package authority

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git/commit"
)

// Holder says who claims.
type Holder struct {
	Worker, Role, By, Run string
	Into                  string        // full name of the target branch
	Lease                 time.Duration // 0: until it is released
	Lock                  bool          // a worker: it, and its agent, hold a lock as long as they run
}

// TakeOptions say how to take claims.
type TakeOptions struct {
	AllOrNone bool
	Force     bool                             // also from live holders, in working
	Progress  func(abandoned claim.Claim) bool // reports whether its holder left a commit; nil for HasCommits
}

// Taking is what became of one task.
type Taking struct {
	ID      string
	Held    claim.Held    // our claim; where it is refused, that of the holder, if there is one
	Refusal claim.Refusal // "" where we hold the claim
	Lock    *Lock         // for a Holder with Lock; to be released when the work is over
}

// Take claims tasks, each by itself or all or none of them, and reads the target again before it says that one is ours.
func (c *Claims) Take(ctx context.Context, target *Target, by Holder, o TakeOptions, ids ...string) ([]Taking, error) {
	for _, id := range ids {
		if err := claim.CheckID(id); err != nil {
			return nil, err
		}
	}
	if err := c.authority.Settle(ctx); err != nil {
		return nil, err
	}
	if o.Progress == nil {
		o.Progress = func(abandoned claim.Claim) bool { return c.HasCommits(ctx, abandoned) }
	}
	t := &taker{claims: c, target: target, by: by, options: o}
	if seen := c.seeCopy(ctx, target, ids); seen != nil {
		got, err := t.take(ctx, seen, ids)
		if err != nil || got[0].Refusal != claim.OtherRound {
			return got, err
		}
		// The task was rejected since: the copies are up to date now, and show the round.
	}
	seen, err := c.See(ctx, target, ids...)
	if err != nil {
		return nil, err
	}
	return t.take(ctx, seen, ids)
}

// take takes what can be taken of tasks as they were seen.
func (t taker) take(ctx context.Context, seen map[string]claim.Seen, ids []string) ([]Taking, error) {
	t.free = map[string]string{}
	for _, id := range ids {
		if err := t.decide(seen[id], id); err != nil {
			t.fail(claim.NotTaken)
			return nil, err
		}
	}
	err := t.swap(ctx)
	if errors.Is(err, ErrRemote) { // nothing was pushed
		t.fail(claim.NotTaken)
		return nil, err
	}
	if err == nil {
		err = t.confirm(ctx)
	}
	if err != nil {
		t.giveUp(context.WithoutCancel(ctx))
		return nil, err
	}
	return t.takings, nil
}

// seeCopy returns what the copies of claims and target show of one task, nil where they do not show it as free: whether it is, the
// compare-and-swap finds out, and the winner reads both.
func (c *Claims) seeCopy(ctx context.Context, target *Target, ids []string) map[string]claim.Seen {
	if c.remote == "" || len(ids) != 1 {
		return nil
	}
	h, err := c.readOne(ctx, ids[0], false)
	if err != nil || h.Exists() {
		return nil
	}
	shown, err := target.At(ctx, c.Copy(target.Branch))
	if err != nil || !shown[h.ID].Pending {
		return nil
	}
	return map[string]claim.Seen{h.ID: {Held: h, Target: shown}}
}

// taker takes claims. changes and takings belong together by id.
type taker struct {
	claims  *Claims
	target  *Target
	by      Holder
	options TakeOptions
	takings []Taking
	changes []claim.Change
	free    map[string]string // lock files, by task, that nobody holds any more
}

// decide finds out whether a task can be claimed. A worker holds its lock before its claim is written.
func (t *taker) decide(s claim.Seen, id string) error {
	if slices.ContainsFunc(t.takings, func(g Taking) bool { return g.ID == id }) {
		return nil
	}
	if s.Held.Exists() && s.Held.Bad == "" {
		s.Evidence.Progress = t.options.Progress(s.Held.Claim)
	}
	mine, now := t.claim(id), t.claims.protocol
	change, refusal := now.Take(s, mine)
	if refusal != "" && t.options.Force {
		change, refusal = now.Steal(s, mine)
	}
	taking := Taking{ID: id, Held: s.Held, Refusal: refusal}
	if refusal == "" {
		if t.by.Lock {
			lock, err := HoldLock(t.claims.repo.Git().Environ, mine.Token)
			if err != nil {
				return err
			}
			taking.Lock = lock
		}
		t.changes = append(t.changes, change)
		if s.Evidence.Lock == claim.LockFree {
			t.free[id] = s.Held.Claim.Lock
		}
	}
	t.takings = append(t.takings, taking)
	return nil
}

// HasCommits reports whether the worker's branch of an abandoned claim has moved since it was made: then it was not left in vain.
func (c *Claims) HasCommits(ctx context.Context, abandoned claim.Claim) bool {
	moves, err := c.repo.Git().Run(ctx, nil, "rev-list", "--walk-reflogs", "--count", abandoned.WorkBranch(), "--")
	return err == nil && moves != "0" && moves != "1"
}

// claim returns the claim that we want to hold.
func (t *taker) claim(id string) claim.Claim {
	host, _ := os.Hostname() //nolint:errcheck // it is for people to read
	mine := claim.Claim{
		ID: id, Token: NewToken(), Worker: t.by.Worker, Role: t.by.Role, By: t.by.By, Host: host, Run: t.by.Run, Into: t.by.Into,
		Boot: t.claims.clock.read().Boot, Lease: int(t.by.Lease / time.Second), At: time.Now().UTC().Format(time.RFC3339),
	}
	if t.by.Lock {
		mine.Lock = mine.Token
	}
	return mine
}

// swap writes the claims.
func (t *taker) swap(ctx context.Context) error {
	refused := slices.ContainsFunc(t.takings, func(g Taking) bool { return g.Refusal != "" })
	if t.options.AllOrNone && refused {
		t.fail(claim.NotTaken)
		return nil
	}
	outcomes, err := t.claims.change(ctx, claim.Batch{Changes: t.changes, Atomic: t.options.AllOrNone})
	for i, outcome := range outcomes {
		taking := t.of(t.changes[i].ID)
		switch outcome {
		case claim.Lost:
			taking.Refusal = claim.HeldBy
		case claim.Skipped, claim.Unknown:
			taking.Refusal = claim.NotTaken
		}
	}
	return err
}

// confirm reads claims and target again, gives back what is no longer pending, and names the holders of what was lost.
func (t *taker) confirm(ctx context.Context) error {
	if len(t.changes) == 0 {
		return nil
	}
	ids := make([]string, len(t.changes))
	for i, c := range t.changes {
		ids[i] = c.ID
	}
	held, shown, err := t.claims.read(ctx, t.target, ids)
	if err != nil {
		return err
	}
	var back []claim.Change
	for _, c := range t.changes {
		taking := t.of(c.ID)
		taking.Held = heldOf(held, c.ID)
		if taking.Refusal != "" {
			continue
		}
		var release claim.Change
		if release, taking.Refusal = t.claims.protocol.Confirm(claim.Seen{Held: taking.Held, Target: shown}, c.New.Token); release.ID != "" {
			back = append(back, release)
		}
		t.removeLock(c.ID)
	}
	if err := t.removeHidden(ctx); err != nil {
		return err
	}
	if t.options.AllOrNone && slices.ContainsFunc(t.takings, func(g Taking) bool { return g.Refusal != "" }) {
		back = t.giveBack()
		t.fail(claim.NotTaken)
	}
	t.unlock()
	_, err = t.claims.change(ctx, claim.Batch{Changes: back})
	return err
}

// errHidden: what was pushed cannot be read.
var errHidden = errors.New("it hides them from those who fetch")

// removeHidden deletes claims that were made just now and cannot be read, because the remote takes references of ours and does not
// show them. Nobody would see who has the tasks.
func (t *taker) removeHidden(ctx context.Context) error {
	var gone []claim.Change
	for _, c := range t.changes {
		taking := t.of(c.ID)
		if t.claims.remote == "" || taking.Refusal != claim.NotOwn || taking.Held.Exists() {
			continue
		}
		object, err := commit.WriteBlob(ctx, t.claims.repo, []byte(c.New.Text()))
		if err != nil {
			return err
		}
		gone = append(gone, claim.Change{ID: c.ID, Old: object, Do: claim.Delete})
	}
	outcomes, err := t.claims.change(ctx, claim.Batch{Changes: gone})
	if err == nil && slices.Contains(outcomes, claim.Done) {
		err = &DeclinedError{t.claims.remote, errHidden}
	}
	return err
}

// removeLock deletes the lock file of the worker that a claim was taken from, where it is known to have ended.
func (t *taker) removeLock(id string) {
	if name, ok := t.free[id]; ok {
		if path, err := lockPath(t.claims.repo.Git().Environ, name); err == nil {
			os.Remove(path) //nolint:errcheck // one that stays proves what is true
		}
	}
}

// giveBack returns the changes that delete all claims that are ours.
func (t *taker) giveBack() []claim.Change {
	var back []claim.Change
	for _, c := range t.changes {
		if release, refusal := t.claims.protocol.End(t.of(c.ID).Held, c.New.Token); refusal == "" {
			back = append(back, release)
		}
	}
	return back
}

// of returns the taking of a task.
func (t *taker) of(id string) *Taking {
	return &t.takings[slices.IndexFunc(t.takings, func(g Taking) bool { return g.ID == id })]
}

// fail refuses what is not refused for a better reason.
func (t *taker) fail(why claim.Refusal) {
	for i := range t.takings {
		if t.takings[i].Refusal == "" {
			t.takings[i].Refusal = why
		}
	}
	t.unlock()
}

// giveUp ends claims after an error: the caller does not know that it has them. The lock files stay, and free, so that others
// can take at once what cannot be deleted now.
func (t *taker) giveUp(ctx context.Context) {
	for i, g := range t.takings {
		g.Lock.abandon()
		t.takings[i].Lock = nil
	}
	if remote, ok := t.claims.authority.(*Remote); ok {
		remote.endTokens(t.changes) //nolint:errcheck // the first error is the one to report
	}
	held, err := t.claims.authority.Read(ctx)
	if err != nil {
		return
	}
	for i := range t.takings {
		t.takings[i].Held = held[t.takings[i].ID]
	}
	t.claims.change(ctx, claim.Batch{Changes: t.giveBack()}) //nolint:errcheck // see above
}

// unlock gives up the locks of claims that are not ours.
func (t *taker) unlock() {
	for i, g := range t.takings {
		if g.Refusal != "" {
			g.Lock.Release()
			t.takings[i].Lock = nil
		}
	}
}
