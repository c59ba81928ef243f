package loop

import "context"

// maxDamaged is how many iterations in a row may damage what the run needs.
const maxDamaged = 2

// repair makes good what the agent destroyed: our own directory in git's, and a plan that nobody can read, which is restored
// from HEAD. It returns what that was, "" for nothing. The iteration then fails, whatever the agent reported.
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
	head, err := it.Store.At(ctx, "HEAD")
	if err != nil || len(head.Problems) > 0 {
		return damage, nil //nolint:nilerr // it cannot be restored, and look says what is wrong
	}
	_, invalid := snap.Valid()
	return "the agent left an invalid plan, which was restored from HEAD: " + invalid.Error(), it.Store.Repo().RestoreFile(ctx, it.Store.PlanPath())
}

// judgeDamage counts what iterations in a row destroyed, and tells why the run ends, if it does.
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
