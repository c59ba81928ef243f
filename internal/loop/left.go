package loop

import (
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
)

// EndLeft ends what a run left behind that was killed, and removes the lock files of its git commands, and of its agent's. It
// returns the processes that still ran, and the files. While a run is under way nothing is touched.
func EndLeft(repo *git.Repo, now time.Time, grace time.Duration) (ended []journal.Process, removed []string) {
	journal.Of(repo.GitDir()).EndLeft(plan.FormatTime(now), grace, func(left journal.Left) {
		gone := make([]git.Gone, len(left.Gone))
		for i, p := range left.Gone {
			gone[i] = git.Gone{PID: p.PID, Began: p.Began}
		}
		ended, removed = left.Ended, repo.RemoveLocks(gone...)
	})
	return ended, removed
}
