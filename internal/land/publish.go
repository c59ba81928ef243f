package land

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
)

// errRace: somebody else changed the target or a claim first.
var errRace = errors.New("the target or a claim changed meanwhile")

// publish moves the target to the commit of a stack, and ends the claims of its tasks, in one transaction.
func (l *lander) publish(ctx context.Context, s *stack, commit string) error {
	if err := l.keepCode(ctx, s); err != nil {
		return err
	}
	var merges []claim.Merge
	for _, p := range s.parts {
		merges = append(merges, claim.Merge{Work: p.branch.work(), Tasks: claimed(p.tasks)})
	}
	batch := l.claims.Protocol().Land(claim.Move{Ref: l.o.Into, Old: s.tip, New: commit}, merges)
	for _, p := range s.parts {
		for _, id := range p.verify {
			batch.Changes = append(batch.Changes, claim.Change{ID: id, Do: claim.Verify})
		}
	}
	kept, err := l.turn.keep(ctx, &batch, s.branches())
	ended := l.endedBranches(s, batch)
	if err == nil {
		batch.Moves = append(batch.Moves, ended...)
		err = l.change(ctx, batch, "ralph: land")
	}
	if len(ended) > 0 {
		err = l.withoutDeletions(s, err)
	}
	l.turn.hasLanded(commit, kept, err)
	return err
}

// claimed returns the tasks that have claims.
func claimed(tasks []claim.Seen) []claim.Seen {
	return slices.DeleteFunc(slices.Clone(tasks), func(s claim.Seen) bool { return !s.Held.Exists() })
}

// change makes a move of the target and changes of claims. The error is errRace where one of them is not as expected.
func (l *lander) change(ctx context.Context, batch claim.Batch, reason string) error {
	if l.claims.Remote() == "" {
		return l.changeHere(ctx, batch, reason)
	}
	outcomes, err := l.claims.Change(ctx, batch)
	if errors.Is(err, authority.ErrMoved) {
		return errRace
	}
	if err != nil {
		return err
	}
	for _, o := range outcomes {
		if o != claim.Done {
			return errRace
		}
	}
	return l.follow(ctx, batch.Moves[0])
}

// changeHere makes the change in this repository. Where the target is checked out, its worktree moves along.
func (l *lander) changeHere(ctx context.Context, batch claim.Batch, reason string) error {
	move := batch.Moves[0]
	changes := []git.ReferenceChange{{Name: move.Ref, Old: move.Old, New: move.New}}
	for _, c := range batch.Changes {
		change := git.ReferenceChange{Name: authority.Prefix + c.ID, Old: c.Old}
		if c.Do == claim.Verify {
			change.New = c.Old
		}
		changes = append(changes, change)
	}
	return l.moveTarget(ctx, move, changes, reason)
}

// moveTarget changes references, the target among them, and the worktrees in which it is checked out. What it moves to is on the disk
// before, and the reference after it: a power cut takes back nothing that was reported.
func (l *lander) moveTarget(ctx context.Context, move claim.Move, changes []git.ReferenceChange, reason string) error {
	if err := git.Flush(ctx, l.repo, move.New, move.Old); err != nil {
		return err
	}
	out, err := l.checkedOut(ctx, move)
	defer closeAll(out)
	if err != nil {
		return err
	}
	prepared, err := l.prepare(ctx, reason, changes)
	if err != nil {
		return err
	}
	for _, f := range out {
		if err := f.Apply(); err != nil {
			prepared.Abort()
			return err
		}
	}
	if err := prepared.Commit(); err != nil {
		return l.whyRefused(ctx, changes, err)
	}
	err = git.FlushReference(l.repo, move.Ref)
	for _, f := range out {
		err = errors.Join(err, f.Finish())
	}
	return err
}

// prepare locks references. Where others hold locks of git's it tries again: contention is no race that was lost.
func (l *lander) prepare(ctx context.Context, reason string, changes []git.ReferenceChange) (*git.PreparedReferences, error) {
	for began := time.Now(); ; {
		prepared, err := git.PrepareReferences(ctx, l.repo, reason, changes)
		if err == nil {
			return prepared, nil
		}
		if err = l.whyRefused(ctx, changes, err); errors.Is(err, errRace) || time.Since(began) > l.o.Wait {
			return nil, err
		}
		time.Sleep(time.Duration(5+rand.IntN(50)) * time.Millisecond)
	}
}

// whyRefused returns errRace where a reference is not as expected; else some lock was held, or git cannot write.
func (l *lander) whyRefused(ctx context.Context, changes []git.ReferenceChange, refused error) error {
	for _, c := range changes {
		id, err := l.repo.IDAt(ctx, c.Name)
		if err != nil {
			return err
		}
		if id != c.Old {
			return errRace
		}
	}
	return fmt.Errorf("cannot change %s: %w", l.o.Into, refused)
}
