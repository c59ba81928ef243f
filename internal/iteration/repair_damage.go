package iteration

import (
	"context"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/store"
)

// repair restores what the agent destroyed: our own directory in git's, and an unreadable plan, which is restored from HEAD,
// or from before the iteration if HEAD's is unreadable too. It returns what that was, "" for nothing. The iteration then
// fails, whatever the agent reported.
func (f finishedJob) repair(ctx context.Context) (damage string, err error) {
	lost, err := f.Run.Repair()
	if err != nil {
		return "", err
	}
	if lost {
		damage = "the agent deleted the journal in git's directory"
	}
	if _, err := Read(ctx, f.Store); err == nil {
		return damage, nil
	}
	snap, err := f.Store.View(ctx)
	if err != nil || len(snap.Problems) == 0 {
		return damage, nil //nolint:nilerr // the next read fails again
	}
	_, invalid := snap.Valid()
	if f.canRestore(ctx, "HEAD") {
		return "the agent left an invalid plan, which was restored from HEAD: " + invalid.Error(), f.restore(ctx, "HEAD")
	}
	if f.State.Head == "" || !f.canRestore(ctx, f.State.Head) {
		return damage, nil // the next read reports what is wrong
	}
	if err := f.restore(ctx, f.State.Head); err != nil {
		return damage, err
	}
	return "the agent committed an invalid plan, which was restored from before the iteration: " + invalid.Error(),
		f.update(ctx, store.Request{Subject: "restore the plan", OwnEdits: true, Keep: store.KeepAll, Do: nothing})
}

// canRestore reports whether a commit has a plan that can be read.
func (f finishedJob) canRestore(ctx context.Context, commit string) bool {
	was, err := f.Store.At(ctx, commit)
	return err == nil && len(was.Problems) == 0
}

func (f finishedJob) restore(ctx context.Context, id string) error {
	return commit.RestoreFile(ctx, f.Store.Repo(), id, f.Store.PlanPath())
}
