package runcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
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

// stopRun sends the run the signal of Ctrl-C, or SIGTERM to stop it now. The run holds its lock, so its process is alive.
func stopRun(ctx context.Context, env *term.Env, now bool) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	holder, running := journal.Of(st.Repo().GitDir()).Running()
	if !running {
		return &cmdline.NothingError{Text: "no run is under way in this worktree"}
	}
	if host, _ := os.Hostname(); holder.PID <= 0 || holder.Host != host {
		return fmt.Errorf("%s of process %d runs on %s: stop it there", holder.What, holder.PID, holder.Host)
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
		env.Print(fmt.Sprintf("%s, process %d, is stopping now", holder.What, holder.PID))
	default:
		env.Print(fmt.Sprintf("%s, process %d, stops after this iteration; `git ralph build stop --now` stops it now", holder.What, holder.PID))
	}
	return nil
}

func signalFor(now bool) os.Signal {
	if now {
		return syscall.SIGTERM
	}
	return os.Interrupt
}

const aboutBuildStop = `Stops the run of build or plan in this worktree from another terminal: after the
current iteration, as Ctrl-C in its own terminal does, or at once with --now.
Nothing is lost: the next build continues where this one stopped.

EXIT STATUS
  0  the run is stopping
  1  it could not be stopped
  2  the command line is wrong
  3  no run is under way

EXAMPLES
  git ralph build stop
  git ralph build stop --now`
