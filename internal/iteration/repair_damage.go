package iteration

import (
	"context"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/store"
)

// repair restores what the agent destroyed: our own directory in git's, and a plan that is unreadable or emptied, which is
// restored from HEAD, or from before the iteration if HEAD's is no better. It returns what that was, "" for nothing. The iteration
// then fails, whatever the agent reported.
func (f finishedJob) repair(ctx context.Context) (damage string, err error) {
	lost, err := f.Run.Repair()
	if err != nil {
		return "", err
	}
	if lost {
		damage = "the agent deleted the journal in git's directory"
	}
	if f.State.Invalid != nil { // it was not the agent
		return damage, nil
	}
	snap, err := f.Store.View(ctx)
	if err != nil {
		return damage, nil //nolint:nilerr // the next read fails again
	}
	why := f.destroyed(snap)
	switch {
	case why == "":
		return damage, nil
	case f.canRestore(ctx, "HEAD"):
		return "the agent left an invalid plan, which was restored from HEAD: " + why, f.restore(ctx, "HEAD")
	case f.State.Head == "" || !f.canRestore(ctx, f.State.Head):
		return damage, nil // the next read reports what is wrong
	}
	if err := f.restore(ctx, f.State.Head); err != nil {
		return damage, err
	}
	return "the agent committed an invalid plan, which was restored from before the iteration: " + why,
		f.update(ctx, store.Request{Subject: "restore the plan", OwnEdits: true, Keep: store.KeepAll, Do: nothing})
}

// destroyed returns what makes a plan one that is to be restored, "" for nothing. A file that was deleted is not restored.
func (f finishedJob) destroyed(snap store.Snapshot) string {
	p, err := snap.Valid()
	switch {
	case err != nil:
		return err.Error()
	case snap.Exists && !snap.Missing && p.IsEmptied(f.State.Plan):
		return snap.File + ": the spec record and all tasks are gone"
	}
	return ""
}

// canRestore reports whether a commit has a plan that is not destroyed.
func (f finishedJob) canRestore(ctx context.Context, commit string) bool {
	was, err := f.Store.At(ctx, commit)
	return err == nil && f.destroyed(was) == ""
}

func (f finishedJob) restore(ctx context.Context, id string) error {
	return commit.RestoreFile(ctx, f.Store.Repo(), id, f.Store.PlanPath())
}
