package commit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Publish shows the prepared commit: the index gets its entry, then the branch moves, if it and HEAD are still what
// Begin saw. The worktree file must have been written. After an error nothing is published; ErrHeadMoved and
// ErrFileChanged say that it is worth to begin again. Once the branch is locked, ctx no longer stops it half way.
func (t *Tx) Publish() error {
	defer t.Close()
	t.update.order(t.moveCommand()) // git locks the branch while the index is written
	staged, err := t.stage.finish()
	if err == nil && !t.isPrepared(staged) {
		err = t.follow(staged)
	}
	if err != nil {
		return err
	}
	if err := t.update.prepared(); err != nil {
		return t.moved(err)
	}
	t.repo.Step(StepPrepared)
	if err := t.sameHead(); err != nil {
		return err
	}
	if err := t.lock.swapIndex(); err != nil {
		return err
	}
	t.repo.Step(StepIndex)
	if err := t.update.commit(); err != nil && !t.arrived() {
		return errors.Join(t.moved(err), t.lock.giveIndexBack())
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
	rememberStamp(t.repo, t.lock.index)
	return nil
}

// follow makes the commit anew with what git staged, where that is another blob than the one that was prepared although
// the file is the same: git converts line ends by what the index held before, and a filter may say something else each
// time.
func (t *Tx) follow(staged indexEntry) error {
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
	t.update = startRefUpdate(t.ctx, t.repo, t.reflog())
	t.update.order(t.moveCommand())
	return nil
}

// moveCommand is the order to update-ref: from the commit that was read, or from nothing, to the new one.
func (t *Tx) moveCommand() string {
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

// moved explains why the branch could not be locked or moved: it is elsewhere, someone else is moving it, or git has
// another reason, which trying again would not change.
func (t *Tx) moved(err error) error {
	if t.ctx.Err() != nil {
		return err
	}
	if t.current() != t.base.commit || isRace(err) {
		return fmt.Errorf("%w: %w", ErrHeadMoved, err)
	}
	if path := t.refLock(); path != "" {
		return &RefLockedError{Ref: t.refName(), Path: path, Err: err}
	}
	return fmt.Errorf("move the branch: %w", err)
}

// isRace reports whether git says that a reference was not as expected, which may be over by now.
func isRace(err error) bool {
	for _, words := range [...]string{"but expected", "unable to resolve reference", "reference already exists"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

// refLock returns the lock file of another process that stands in the way, "" for none.
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

// refName is what the transaction moves.
func (t *Tx) refName() string {
	if t.base.ref == "" {
		return "HEAD"
	}
	return t.base.ref
}

// arrived asks whether the branch holds the commit although git's answer got lost.
func (t *Tx) arrived() bool { return t.current() == t.prepared.commit }

// current returns the commit that the branch stands at now, "" where it has none.
func (t *Tx) current() string {
	id, _ := t.repo.IDAt(context.WithoutCancel(t.ctx), t.refName()) // what cannot be read is none
	return id
}
