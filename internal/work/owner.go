package work

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
)

// ownerWait is how long another worker that has just been started again may take to recover its own worktree.
const ownerWait = 10 * time.Second

// recoverOwner commits what a worker that was killed left uncommitted on a branch, if its worktree still has the branch. A worker
// that was started again under the same name does that itself.
func (w *Worker) recoverOwner(ctx context.Context, ref string) error {
	for end := time.Now().Add(ownerWait); ; {
		name, err := w.ownerOf(ctx, ref)
		if err != nil || name == "" || name == w.place.name {
			return err
		}
		held, err := w.dir.hold(name)
		_, busy := errors.AsType[*safefile.HeldError](err)
		if !busy {
			if err == nil {
				err = w.recoverPlace(ctx, name)
				held.Release() //nolint:errcheck // the kernel releases it at the end
			}
			return err
		}
		if time.Now().After(end) {
			return nil // it works on, with a claim that it has lost: its commits stay on its branch
		}
		if err := w.pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

// ownerOf returns the worker whose worktree has a branch checked out, or one that an agent made there; "" for none.
func (w *Worker) ownerOf(ctx context.Context, ref string) (string, error) {
	for _, name := range w.dir.Workers() {
		st, err := w.storeOf(ctx, name)
		if err != nil {
			continue // it is being made, or is none of ours
		}
		head, err := st.Repo().HeadRef(ctx)
		if err != nil {
			return "", err
		}
		if head == ref || !strings.HasPrefix(head, branchPrefix) && hasLeft(ctx, st, head, ref) {
			return name, nil
		}
	}
	return "", nil
}

// hasLeft reports whether an agent has left the branch of a task in a worktree for a branch of its own or, with commits or changes, for
// none: a worker that waits is on none, too.
func hasLeft(ctx context.Context, st *store.Store, head, ref string) bool {
	l := (&place{st: st}).leftBranch(ctx)
	if l.ref != ref || head != "" || len(l.made) > 0 {
		return l.ref == ref
	}
	changes, err := st.Repo().Changes(ctx)
	return err == nil && len(changes) > 0
}

// storeOf opens the worktree of a worker, which is repaired where the worker does not run and a power cut has damaged it.
func (w *Worker) storeOf(ctx context.Context, name string) (*store.Store, error) {
	path := filepath.Join(w.dir.path, name)
	st, err := w.dir.storeAt(ctx, path, w.OpenStore)
	if err == nil {
		return st, nil
	}
	held, lockErr := w.dir.hold(name)
	if lockErr != nil {
		return nil, err
	}
	defer held.Release() //nolint:errcheck // the kernel releases it at the end
	if err := repairWorktree(ctx, w.Store.Repo(), path, w.target.tip, w.reportKept); err != nil {
		return nil, err
	}
	return w.dir.storeAt(ctx, path, w.OpenStore)
}

// recoverPlace recovers the worktree of another worker, whose lock is held.
func (w *Worker) recoverPlace(ctx context.Context, name string) error {
	st, err := w.dir.storeAt(ctx, filepath.Join(w.dir.path, name), w.OpenStore)
	if err != nil {
		return err
	}
	w.removeLocks(st.Repo(), w.dir.killed(name))
	p := &place{dir: w.dir, name: name, st: st}
	return p.recover(ctx, w.Loop.Now(), w.Loop.Settings, w.target.tip, w.reportKept)
}
