package loop

import (
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
)

// A git command may run a hook, and a hook may hang. So each git command of a run has a time limit. It is also recorded while it
// runs, so that the next run can clean up what a killed command left behind.

// beforeRun and the git directory take the place of the run's name before a run has begun. They differ between worktrees,
// since every process with the name of a killed run is ended.
const beforeRun = "before "

// minGitTime is the time limit of a git command if --max-time leaves less.
const minGitTime = 30 * time.Second

// supervised returns the store with its git commands under supervision, as those of a run; stop is closed when they must
// end.
func supervised(st *store.Store, j journal.Journal, run string, limit func() time.Duration, stop <-chan struct{}) *store.Store {
	return st.Supervised(git.Supervision{
		Limit: limit, Stop: stop, Mark: journal.Mark(run),
		Began: func(command string, id proc.ID) (ended func()) {
			return j.CommandBegan(journal.Process{ID: id, Run: run, Command: command})
		},
	})
}

// gitLimit is how long a git command that begins now may take: the smaller of ralph.gitTimeout and what is left of --max-time.
func (l *Loop) gitLimit() time.Duration {
	limit := l.Settings.Git
	if l.Goals.Time == 0 {
		return limit
	}
	left := max(l.Goals.Time-l.Now().Sub(l.began), minGitTime)
	if limit == 0 {
		return left
	}
	return min(limit, left)
}
