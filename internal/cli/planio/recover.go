package planio

import (
	"context"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/store"
	"git-ralph/internal/worktree"
)

// RecoverPreviousRun ends the processes that a killed run left behind, and removes the lock files of its git commands. It is for
// commands that change the plan or start agents: an agent without its run would go on changing the same files.
func RecoverPreviousRun(e *term.Env, st *store.Store) {
	if e.Getenv(journal.RunVariable) != "" {
		return // this command belongs to a run itself
	}
	ended, removed := loop.CleanUpKilledRun(st.Repo(), e.Now(), recoveryGrace)
	for _, p := range ended {
		what := "an agent"
		if p.Command != "" {
			what = "a `git " + p.Command + "`"
		}
		e.Warn("ended " + what + " that a killed run had left behind")
	}
	if worktree.EndLeft(context.Background(), st.Repo()) > 0 {
		e.Warn("ended a check that a killed process had left running")
	}
	for _, path := range removed {
		e.Warn("removed the lock file of a git command that was killed: " + path)
	}
}

// recoveryGrace is how long the processes of a killed run may take to end, from SIGTERM to SIGKILL.
const recoveryGrace = 2 * time.Second
