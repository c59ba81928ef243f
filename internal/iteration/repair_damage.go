package iteration

import (
	"context"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/store"
)

// repair makes good what the agent destroyed: our own directory in git's, and a plan that cannot be read, which is
// restored from HEAD, or from before the iteration where HEAD has it. It returns what that was, "" for nothing. The
// iteration then fails, whatever the agent reported.
func (a attempt) repair(ctx context.Context) (damage string, err error) {
	lost, err := a.Run.Repair()
	if err != nil {
		return "", err
	}
	if lost {
		damage = "the agent deleted the journal in git's directory"
	}
	if _, err := Read(ctx, a.Store); err == nil {
		return damage, nil
	}
	snap, err := a.Store.View(ctx)
	if err != nil || len(snap.Problems) == 0 {
		return damage, nil //nolint:nilerr // the next reading meets it again
	}
	_, invalid := snap.Valid()
	if a.canRestore(ctx, "HEAD") {
		return "the agent left an invalid plan, which was restored from HEAD: " + invalid.Error(), a.restore(ctx, "HEAD")
	}
	if a.State.Head == "" || !a.canRestore(ctx, a.State.Head) {
		return damage, nil // the next reading says what is wrong
	}
	if err := a.restore(ctx, a.State.Head); err != nil {
		return damage, err
	}
	return "the agent committed an invalid plan, which was restored from before the iteration: " + invalid.Error(),
		a.update(ctx, store.Request{Subject: "restore the plan", OwnEdits: true, Keep: store.KeepAll, Do: nothing})
}

// canRestore reports whether a commit has a plan that can be read.
func (a attempt) canRestore(ctx context.Context, commit string) bool {
	was, err := a.Store.At(ctx, commit)
	return err == nil && len(was.Problems) == 0
}

func (a attempt) restore(ctx context.Context, id string) error {
	return commit.RestoreFile(ctx, a.Store.Repo(), id, a.Store.PlanPath())
}
