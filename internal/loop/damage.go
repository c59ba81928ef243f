package loop

import (
	"context"

	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// maxDamaged is how many iterations in a row may damage what the run needs.
const maxDamaged = 2

// repair makes good what the agent destroyed: our own directory in git's, and a plan that nobody can read, which is restored
// from HEAD, or from before the iteration where it is in HEAD. It returns what that was, "" for nothing. The iteration then fails, whatever the agent reported.
func (it *iteration) repair(ctx context.Context) (damage string, err error) {
	lost, err := it.Config.Run.Repair()
	if err != nil {
		return "", err
	}
	if lost {
		damage = "the agent deleted the journal in git's directory"
	}
	if _, err := it.look(ctx); err == nil {
		return damage, nil
	}
	snap, err := it.Store.View(ctx)
	if err != nil || len(snap.Problems) == 0 {
		return damage, nil //nolint:nilerr // settle meets it again
	}
	_, invalid := snap.Valid()
	if it.canRestore(ctx, "HEAD") {
		return "the agent left an invalid plan, which was restored from HEAD: " + invalid.Error(), it.restore(ctx, "HEAD")
	}
	if it.before.head == "" || !it.canRestore(ctx, it.before.head) {
		return damage, nil // look says what is wrong
	}
	if err := it.restore(ctx, it.before.head); err != nil {
		return damage, err
	}
	return "the agent committed an invalid plan, which was restored from before: " + invalid.Error(), it.update(ctx, store.Request{
		Subject: "restore the plan", OwnEdits: true, Keep: store.KeepAll,
		Do: func(*plan.Plan, store.Inputs) (plan.Change, error) { return plan.Change{}, nil },
	})
}

// canRestore reports whether a commit has a plan that can be read.
func (it *iteration) canRestore(ctx context.Context, commit string) bool {
	was, err := it.Store.At(ctx, commit)
	return err == nil && len(was.Problems) == 0
}

func (it *iteration) restore(ctx context.Context, commit string) error {
	return it.Store.Repo().RestoreFile(ctx, commit, it.Store.PlanPath())
}

// judgeDamage counts what iterations in a row destroyed, and returns why the run ends, if it does.
func (l *Loop) judgeDamage(it *iteration) (why Reason, text string) {
	if it.damage == "" {
		l.damaged = 0
		return "", ""
	}
	if l.damaged++; l.damaged < maxDamaged {
		return "", ""
	}
	return AgentFails, it.damage + "; so did the one before: `git ralph logs` shows what they did"
}
