package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/store"
	"git-ralph/internal/work"
)

func newBuildStop(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "stop", Usage: "stop the run in this worktree", Description: aboutBuildStop,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "now", Usage: "stop the agent too, instead of waiting for the iteration to end"}},
		Action: func(c *cli.Context) error {
			return stopRun(c.Context, env, c.Bool("now"))
		},
	}
}

// stopRun sends the run the signal of Ctrl-C, or SIGTERM to stop it now. The run holds its lock, so its process is alive. Workers that a
// team of this worktree left running get it too; those of a team that is under way get it from that, unless they are detached.
func stopRun(ctx context.Context, env *term.Env, now bool) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	j := journal.Of(st.Repo().GitDir())
	holder, running := j.Running()
	under := ""
	if running && !strings.HasSuffix(holder.What, detachedText) {
		under, _ = j.Last() //nolint:errcheck // a run that has no directory yet has no workers
	}
	workers, err := leftByTeams(ctx, st, under)
	if err != nil {
		return err
	}
	if !running && len(workers) == 0 {
		return &cmdline.NothingError{Text: "no run is under way in this worktree"}
	}
	var failed error
	if running {
		failed = stopProcess(env, holder.What, work.RunningWorker{Holder: holder}, now)
	}
	for _, w := range workers {
		err := stopProcess(env, "the worker "+w.Name, w, now)
		if _, ended := errors.AsType[*cmdline.NothingError](err); !ended {
			failed = cmp.Or(failed, err)
		}
	}
	return failed
}

// leftByTeams returns the workers that teams of this worktree have started, without those of the run that is under way.
func leftByTeams(ctx context.Context, st *store.Store, under string) ([]work.RunningWorker, error) {
	dir, err := work.OpenDirectory(ctx, st.Repo())
	if err != nil {
		return nil, err
	}
	j := journal.Of(st.Repo().GitDir())
	return slices.DeleteFunc(dir.Running(), func(w work.RunningWorker) bool { return w.Team == "" || w.Team == under || !j.Has(w.Team) }), nil
}

// stopProcess stops the process that holds the lock of a run or a worker.
func stopProcess(env *term.Env, what string, of work.RunningWorker, now bool) error {
	holder := of.Holder
	if host, _ := os.Hostname(); holder.PID <= 0 || holder.Host != host {
		return fmt.Errorf("%s of process %d runs on %s: stop it there", what, holder.PID, holder.Host)
	}
	process, err := os.FindProcess(holder.PID)
	if err == nil {
		err = process.Signal(signalFor(now))
	}
	switch {
	case errors.Is(err, os.ErrProcessDone):
		return &cmdline.NothingError{Text: "the run in this worktree has just ended"}
	case err != nil && runtime.GOOS == "windows":
		return &cmdline.HintedError{Err: fmt.Errorf("cannot stop process %d from here", holder.PID), Hint: "press Ctrl-C in its terminal"}
	case err != nil:
		return fmt.Errorf("cannot stop process %d: %w", holder.PID, err)
	case now:
		env.Print(fmt.Sprintf("%s, process %d, is stopping now", what, holder.PID))
	default:
		env.Print(fmt.Sprintf("%s, process %d, stops after this iteration; `git ralph build stop --now` stops it now", what, holder.PID))
	}
	return nil
}

func signalFor(now bool) os.Signal {
	if now {
		return syscall.SIGTERM
	}
	return os.Interrupt
}

const aboutBuildStop = `Stops the run of build, plan, team or hero in this worktree from another terminal:
after the current iteration, as Ctrl-C in its own terminal does, or at once with
--now. Workers that a detached team left running are stopped too.
Nothing is lost: the next build continues where this one stopped.

EXIT STATUS
  0  the run is stopping
  1  it could not be stopped
  2  the command line is wrong
  3  no run is under way

EXAMPLES
  git ralph build stop
  git ralph build stop --now`
