package planio

import (
	"context"
	"runtime/debug"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/evidence"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// collectAt lets the garbage collector work, which short commands do without: checks may print without end.
const collectAt = 100

// CheckRunner returns what runs the checks of tasks.
func CheckRunner(ctx context.Context, env *term.Env, st *store.Store) (*evidence.Runner, error) {
	if !env.LongLived {
		debug.SetGCPercent(collectAt)
	}
	r, err := evidence.NewRunner(ctx, st.Repo(), env.Environ, env.Now)
	if err == nil && env.Terminal {
		r.Began = func(c evidence.Check) { env.OnErr().Print("running " + c.Line) }
	}
	return r, err
}

// RunChecks runs checks until they end, or a signal ends them all.
func RunChecks(ctx context.Context, env *term.Env, r *evidence.Runner, at evidence.Commit, checks []evidence.Check) (results []evidence.Result, err error) {
	err = env.UntilSignal(ctx, func(ctx context.Context) error {
		results, err = r.Run(ctx, at, checks)
		return err
	})
	return results, err
}

// Replay runs receipts again until they end, or a signal ends them all.
func Replay(ctx context.Context, env *term.Env, r *evidence.Runner, found []evidence.Found, dryRun bool) (replays []evidence.Replay, err error) {
	if dryRun {
		return r.Examine(ctx, found), nil
	}
	err = env.UntilSignal(ctx, func(ctx context.Context) error {
		replays, err = r.Replay(ctx, found)
		return err
	})
	return replays, err
}

// HintNotAllowed says how checks are allowed, where one of the results is that of a check which is not.
func HintNotAllowed(env *term.Env, results []evidence.Result) {
	for _, r := range results {
		if r.State == evidence.NotAllowed {
			env.Hint(howAllowed(r.Check))
			return
		}
	}
}

func howAllowed(c evidence.Check) string {
	if _, err := evidence.Words(c.Line); err != nil {
		return "nobody can allow the check of " + shownID(c.Task) + ": " + err.Error()
	}
	return "`git ralph trust check " + shownID(c.Task) + "` allows exactly this command in this clone; `git config --add " + evidence.AllowKey +
		" WORDS` allows all that begin with these words"
}

// shownID returns an id that may stand in a command line.
func shownID(id string) string {
	if plan.ValidID(plan.KindTask, id) {
		return id
	}
	return "ID"
}

// CheckedIDs offers the ids of tasks that have a check.
func CheckedIDs() cmdline.Values {
	return RecordIDs(func(v View) (checked []*plan.Record) {
		for _, task := range v.Tasks() {
			if len(task.Checks()) > 0 {
				checked = append(checked, task)
			}
		}
		return checked
	})
}
