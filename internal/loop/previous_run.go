package loop

import (
	"context"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/iteration"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// CleanUpKilledRun ends the processes that a killed run left behind, and removes the lock files of its and its agent's git
// commands. It returns the processes that were still running and the removed files. It does nothing while a run is under way.
func CleanUpKilledRun(repo *git.Repo, now time.Time, grace time.Duration) (ended []journal.Process, removed []string) {
	journal.Of(repo.GitDir()).CleanUpKilledRun(plan.FormatTime(now), grace, func(left journal.KilledRun) {
		gone := make([]git.EndedProcess, len(left.Processes))
		for i, p := range left.Processes {
			gone[i] = git.EndedProcess{PID: p.PID, Began: p.Began}
		}
		ended, removed = left.Ended, git.RemoveStaleLocks(repo, gone...)
	})
	return ended, removed
}

// RecoverPreviousRun recovers what a killed run left unfinished: a push, the commit of an iteration, a mutation of the plan. The
// processes of that run must have ended; see CleanUpKilledRun. It returns warnings for the user.
func RecoverPreviousRun(ctx context.Context, st *store.Store, j journal.Journal, s Settings) (warnings []string, err error) {
	if err := st.RemoveLeftLock(ctx); err != nil {
		return nil, err
	}
	was, err := recoverPush(ctx, st, j)
	if was {
		warnings = append(warnings, "aborted a rebase that a killed run had begun")
	}
	if err != nil {
		return warnings, err
	}
	watched := supervised(st, j, beforeRun+st.Repo().GitDir(), func() time.Duration { return s.Git }, nil)
	warning, err := iteration.RecoverCommit(ctx, watched, j)
	if warning != "" {
		warnings = append(warnings, warning)
	}
	if err == nil {
		_, err = st.Recover(ctx)
	}
	return warnings, err
}

// recoverPush aborts a rebase that a killed run began in order to push. During a rebase the plan is an old one, so accepted work
// would be done again. It reports whether there was one. The error is git.ErrHalfRebased.
func recoverPush(ctx context.Context, st *store.Store, j journal.Journal) (was bool, err error) {
	head, found := j.UnfinishedPush()
	if !found {
		return false, nil
	}
	if was, err = st.Repo().Upstream().AbortRebase(ctx, head); err == nil {
		j.ForgetPush()
	}
	return was, err
}
