package commit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"git-ralph/internal/git"
)

// Publish makes the prepared commit visible: the index gets its entry, then the branch moves, if it and HEAD are still as
// Begin found them. The worktree file must have been written. After an error nothing is published; ErrHeadMoved and
// ErrFileChanged mean that it is worth trying again. Once the branch is locked, the end of ctx does not stop it half way.
func (t *Tx) Publish() error {
	defer t.Close()
	t.update.lock(t.moveCommand()) // git locks the branch while the index is written
	staged, err := t.stage.finish()
	if err == nil && !t.isPrepared(staged) {
		err = t.recommit(staged)
	}
	if err != nil {
		return err
	}
	if err := t.update.prepared(); err != nil {
		return t.moveError(err)
	}
	t.repo.Step(StepPrepared)
	if err := t.sameHead(); err != nil {
		return err
	}
	if err := t.lock.swapIndex(); err != nil {
		return err
	}
	t.repo.Step(StepIndex)
	if err := t.update.commit(); err != nil && !t.isPublished() {
		return errors.Join(t.moveError(err), t.lock.restoreIndex())
	}
	t.repo.Step(StepRef)
	t.Close()
	t.repo.Step(StepUnlocked)
	return nil
}

// Stage puts content, which the worktree file must hold already, into the index only.
func (t *Tx) Stage(content []byte) error {
	defer t.Close()
	t.prepared.content = content
	if err := t.writeBlob(content); err != nil {
		return err
	}
	if err := t.startStaging(); err != nil {
		return err
	}
	staged, err := t.stage.finish()
	if err != nil {
		return err
	}
	if !t.isPrepared(staged) && !t.sameOnDisk() {
		return fmt.Errorf("%s: %w", t.path, ErrFileChanged)
	}
	if err := os.Rename(t.lock.copy, t.lock.index); err != nil {
		return fmt.Errorf("replace the index: %w", err)
	}
	t.repo.Step(StepIndex)
	return nil
}

// recommit prepares the commit again with what git staged, where that is not the blob that was prepared although the file is
// the same: git converts line endings by what the index held before, and a filter may give another result each time.
func (t *Tx) recommit(staged indexEntry) error {
	if !t.sameOnDisk() {
		return fmt.Errorf("%s: %w", t.path, ErrFileChanged)
	}
	t.prepared.blob, t.prepared.mode = staged.id, staged.mode
	root, err := t.writeTrees()
	if err != nil {
		return err
	}
	if t.prepared.commit, err = t.writeCommit(root, t.prepared.message); err != nil {
		return err
	}
	t.update.end() //nolint:errcheck // it is to do nothing
	t.update = startRefUpdate(t.ctx, t.repo, t.reflogReason())
	t.update.lock(t.moveCommand())
	return nil
}

// AlsoUpdate makes changes of other references part of the transaction: the branch moves only together with all of them. If one
// of them has another value than expected, Publish returns ErrHeadMoved. It is called before Publish.
func (t *Tx) AlsoUpdate(changes ...git.ReferenceChange) {
	for _, c := range changes {
		t.otherUpdates += c.UpdateRefCommand(t.repo.IDSize())
	}
}

// moveCommand returns the commands for update-ref: move the branch from the commit that was read, or create it, and what AlsoUpdate
// added.
func (t *Tx) moveCommand() string { return t.moveBranch() + t.otherUpdates }

func (t *Tx) moveBranch() string {
	old := t.base.commit
	if old == "" {
		old = zeroID(t.repo)
	}
	if t.base.ref == "" {
		return "option no-deref\x00update HEAD\x00" + t.prepared.commit + "\x00" + old + "\x00"
	}
	return "update " + t.base.ref + "\x00" + t.prepared.commit + "\x00" + old + "\x00"
}

// sameHead checks that HEAD still points where it did. While the branch is locked it cannot go elsewhere.
func (t *Tx) sameHead() error {
	ref, err := t.repo.HeadRef(context.WithoutCancel(t.ctx))
	if err != nil {
		return err
	}
	if ref != t.base.ref {
		return fmt.Errorf("%w: it points to %q now", ErrHeadMoved, ref)
	}
	return nil
}

// moveError explains why the branch could not be locked or moved: it is at another commit, another process is moving it,
// or git has another reason, which a second try would not change.
func (t *Tx) moveError(err error) error {
	if t.ctx.Err() != nil {
		return err
	}
	if t.branchCommit() != t.base.commit || isRace(err) {
		return fmt.Errorf("%w: %w", ErrHeadMoved, err)
	}
	if path := t.refLock(); path != "" {
		return &RefLockedError{Ref: t.refName(), Path: path, Err: err}
	}
	return fmt.Errorf("move the branch: %w", err)
}

// isRace reports whether git found a reference in an unexpected state, so that a second try may succeed.
func isRace(err error) bool {
	for _, words := range [...]string{"but expected", "unable to resolve reference", "reference already exists"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

// refLock returns the lock file of another process on the branch or HEAD, "" for none.
func (t *Tx) refLock() string {
	for _, path := range []string{
		t.repo.ReferencePath(t.refName()), t.repo.ReferencePath("HEAD"),
	} {
		if _, err := os.Lstat(path + ".lock"); err == nil {
			return path + ".lock"
		}
	}
	return ""
}

// refName returns the name of the reference that the transaction moves.
func (t *Tx) refName() string {
	if t.base.ref == "" {
		return "HEAD"
	}
	return t.base.ref
}

// isPublished reports whether the branch points to the commit although git's reply was lost.
func (t *Tx) isPublished() bool { return t.branchCommit() == t.prepared.commit }

// branchCommit returns the commit that the branch points to now, "" if it has none.
func (t *Tx) branchCommit() string {
	id, _ := t.repo.IDAt(context.WithoutCancel(t.ctx), t.refName()) // what cannot be read is none
	return id
}
