package runcmd

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/workplancmd"
	"git-ralph/internal/loop"
)

// workplanRunOptions are the command line of `git ralph workplan run`.
type workplanRunOptions struct {
	agentOptions
	file       string
	goals      loop.Goals
	allowDirty bool
	dryRun     bool
}

// NewWorkplanRun is the command `git ralph workplan run`.
func NewWorkplanRun(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "let agents work off a workplan until it is done", ArgsUsage: "FILE", Description: aboutWorkplanRun,
		Flags: append(append(limitFlags(),
			&cli.BoolFlag{Name: "once", Usage: "run one iteration"},
			&cli.BoolFlag{Name: "allow-dirty", Usage: "begin although files have changes, which agents may commit"},
			dryRunFlag(),
		), agentFlags()...),
		BashComplete: workplancmd.FileArgument(),
		Action:       cmdline.Action(env, workplanRunFrom, workplanRunOptions.run),
	}
}

func workplanRunFrom(c *cli.Context) (o workplanRunOptions, err error) {
	o = workplanRunOptions{agentOptions: agentOptionsFrom(c), allowDirty: c.Bool("allow-dirty"), dryRun: c.Bool("dry-run")}
	if o.file, err = workplancmd.FileFrom(c); err != nil {
		return o, err
	}
	o.goals, err = readLimits(c)
	o.goals.Once = c.Bool("once")
	return o, err
}

func (o workplanRunOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	path, err := planio.WorkplanPath(st, o.file)
	if err != nil {
		return err
	}
	runner, err := o.runner(ctx, env, st)
	if err != nil {
		return err
	}
	source := workplanSource{env: env, store: st, file: filepath.Clean(env.Path(o.file)), name: o.file}
	o.goals.Work = source
	if o.dryRun {
		return runner.preview(ctx, env, o.goals)
	}
	if err := runner.recoverPrevious(ctx, env); err != nil { // before any question or change
		return err
	}
	if why, text, err := runner.unstarted(env, o.goals).Ready(ctx); err != nil || why != "" {
		return nothingToRun(why, text, err)
	}
	if err := runner.trust(ctx, env); err != nil {
		return err
	}
	if err := allowDirty(ctx, env, runner, o.allowDirty, path); err != nil { // its changes go into the first commit of a task
		return err
	}
	err = runner.work(ctx, env, o.goals, "workplan run")
	if end, ok := errors.AsType[*EndError](err); !ok || end.Why != loop.Interrupted {
		source.send(ctx)
	}
	return err
}

const aboutWorkplanRun = `Starts agents, one after another, until the workplan is done: every task block and the
frontmatter have the status done. Each agent is a new process, gets the file's next
task, and sets its status with ` + "`git ralph workplan start-task`" + ` and ` + "`done-task`" + `. No
plan is needed. The file decides: where an agent claims that the workplan is done, and
it is not, the next prompt says what is missing.

The run ends too when the file is paused or gone, when two iterations in a row left it
invalid, and when three in a row changed neither the file nor HEAD nor the worktree. A
file that is paused already is refused.

Agents, limits, trust and the journal are those of git ralph build; settings and --agent
of one stage are those of BUILD. Ctrl-C, or git ralph build stop, ends the run after the
iteration, a second Ctrl-C at once. What an agent left uncommitted of a task that it
finished is committed, but for new files.

When you have changed tracked files other than the workplan, the run asks before it
begins; --allow-dirty begins without asking. Agents make commits of their own, and
could put these changes into them.

EXIT STATUS
  0    the workplan is done; with --once, the iteration made progress
  1    failed: the file is paused, missing or outside of the repository; or all is done,
       but git refuses to commit what an agent left uncommitted
  2    the command line is wrong; or the repository is not trusted
  3    there was nothing to do: the workplan is done already
  4    another loop, or another change of the plan, is under way
  5    the workplan is not valid
  6    a limit was reached: iterations, time, cost or tokens
  7    no progress: three iterations in a row changed nothing (with --once, one)
  8    the agent cannot be started, or failed three times in a row (with --once,
       once), or left the workplan invalid twice in a row
  130  interrupted
  141  the reader of the output closed it; the current iteration was finished

EXAMPLES
  git ralph workplan run workplans/WP-0001-parser.md
  git ralph workplan run plan.md --agent codex --max-iterations 5 --max-cost 10
  git ralph workplan run plan.md --dry-run`
