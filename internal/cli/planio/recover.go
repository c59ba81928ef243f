package planio

import (
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/store"
)

// RecoverPreviousRun ends what a run that was killed left behind, and removes the lock files of its git commands. It is for
// commands that change the plan or start agents: an agent that nobody watches any more would go on changing the same files.
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
	for _, path := range removed {
		e.Warn("removed the lock file of a git command that was killed: " + path)
	}
}

// recoveryGrace is how long what a killed run left behind may take to end, from TERM to KILL.
const recoveryGrace = 2 * time.Second
