package authority

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
)

// contention is how long a change is tried again while other git commands hold locks that it needs.
const contention = 10 * time.Second

// Local is the authority of a repository without a claims remote: its common git directory, which linked worktrees share.
type Local struct {
	repo *git.Repo
	wait time.Duration // for locks
}

// NewLocal returns the authority of a repository itself.
func NewLocal(r *git.Repo) *Local { return &Local{repo: r, wait: contention} }

// Read returns the claims, without a process where they are files.
func (l *Local) Read(ctx context.Context, ids ...string) (map[string]claim.Held, error) {
	return readClaims(ctx, l.repo, Prefix, ids)
}

// Settle does nothing: git's reply is not lost here.
func (l *Local) Settle(context.Context) error { return nil }

// Swap makes the changes by `git update-ref`: all in one transaction and, where that fails and they are independent, one by one.
func (l *Local) Swap(ctx context.Context, b claim.Batch) ([]claim.Outcome, error) {
	if err := checkBatch(b); err != nil {
		return nil, err
	}
	changes, err := l.write(ctx, b.Changes)
	if err != nil {
		return nil, err
	}
	for _, m := range b.Moves {
		if !m.Work {
			changes = append(changes, git.ReferenceChange{Name: m.Ref, Old: m.Old, New: m.New})
		}
	}
	if len(changes) == 0 {
		return nil, nil
	}
	outcomes, err := l.swap(ctx, b, changes)
	if err != nil || b.All() || len(changes) == 1 || !slices.Contains(outcomes, claim.Lost) {
		return outcomes, err
	}
	for i, c := range changes {
		one, err := l.swap(ctx, claim.Batch{Changes: b.Changes[i : i+1]}, []git.ReferenceChange{c})
		if err != nil {
			return outcomes[:i], err
		}
		outcomes[i] = one[0]
	}
	return outcomes, nil
}

// write stores the claims that changes put, and returns the changes of references.
func (l *Local) write(ctx context.Context, changes []claim.Change) ([]git.ReferenceChange, error) {
	var refs []git.ReferenceChange
	for _, c := range changes {
		ref := git.ReferenceChange{Name: Prefix + c.ID, Old: c.Old}
		switch c.Do {
		case claim.Verify:
			ref.New = c.Old
		case claim.Put:
			object, err := commit.WriteBlob(ctx, l.repo, []byte(c.New.Text()))
			if err != nil {
				return nil, err
			}
			ref.New = object
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// swap makes changes in one transaction. Where git refuses although each reference is as expected, some lock was held: it tries
// again, because contention is never reported as a lost claim.
func (l *Local) swap(ctx context.Context, b claim.Batch, changes []git.ReferenceChange) ([]claim.Outcome, error) {
	ctx = context.WithoutCancel(ctx) // a git that is killed leaves its locks behind
	for began := time.Now(); ; {
		refused := git.UpdateReferences(ctx, l.repo, "ralph: claim", changes)
		if refused == nil {
			return b.Outcomes(func(id string) string { return oldOf(b, id) }, true), nil
		}
		current, movable, err := l.current(ctx, changes)
		if err != nil {
			return nil, err
		}
		outcomes := b.Outcomes(func(id string) string { return current[Prefix+id] }, movable)
		if !movable && len(b.Changes) == 0 {
			return nil, ErrMoved
		}
		if !movable || slices.Contains(outcomes, claim.Lost) {
			return outcomes, nil
		}
		if err := l.brokenError(changes); err != nil {
			return nil, err
		}
		if time.Since(began) > l.wait {
			return nil, l.lockedError(changes, refused)
		}
		time.Sleep(time.Duration(5+rand.IntN(50)) * time.Millisecond)
		if _, err := l.write(ctx, b.Changes); err != nil { // git gc may have deleted objects that nothing referred to yet
			return nil, err
		}
	}
}

// current reads the references of a transaction that failed, and reports whether those which are no claims are as expected.
func (l *Local) current(ctx context.Context, changes []git.ReferenceChange) (map[string]string, bool, error) {
	ids, movable := map[string]string{}, true
	for _, c := range changes {
		id, err := git.ReferenceID(ctx, l.repo, c.Name)
		if err != nil {
			return nil, false, err
		}
		ids[c.Name] = id
		if len(c.Name) < len(Prefix) || c.Name[:len(Prefix)] != Prefix {
			movable = movable && id == c.Old
		}
	}
	return ids, movable, nil
}

// oldOf returns what a batch expects of a claim.
func oldOf(b claim.Batch, id string) string {
	i := slices.IndexFunc(b.Changes, func(c claim.Change) bool { return c.ID == id })
	return b.Changes[i].Old
}
