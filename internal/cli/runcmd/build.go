package runcmd

import (
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// buildOptions are the command line of `git ralph build`.
type buildOptions struct {
	agentOptions
	goals      loop.Goals
	commitPlan bool
	allowDirty bool
	dryRun     bool
}

// defaultIterations is the default of --max-iterations.
const defaultIterations = 20

func NewBuild(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "build", Usage: "let an agent work on the plan until it is complete", Description: aboutBuild,
		Subcommands: []*cli.Command{newBuildStop(env)},
		Flags: append(append(limitFlags(),
			&cli.BoolFlag{Name: "once", Usage: "run one iteration"},
			cmdline.Completes(&cli.StringFlag{Name: "stage", Usage: "run only while the plan is in `STAGE`"}, cmdline.OneOf("BUILD", "DECOMPOSE", "VERIFY", "INVESTIGATE")),
			cmdline.Completes(&cli.StringFlag{Name: "task", Usage: "work on the task `ID` only"}, planio.PendingIDs()),
			&cli.BoolFlag{Name: "strict", Usage: "refuse new tasks whose acceptance criteria cannot be checked"},
			&cli.BoolFlag{Name: "push", Usage: "fetch, rebase and push whenever tasks were accepted"},
			&cli.BoolFlag{Name: "commit-plan", Usage: "commit uncommitted changes of the plan first, without asking"},
			&cli.BoolFlag{Name: "allow-dirty", Usage: "begin although files have changes; these are not committed"},
			dryRunFlag(),
		), agentFlags()...),
		Action: cmdline.Action(env, buildFrom, buildOptions.run),
	}
}

func buildFrom(c *cli.Context) (buildOptions, error) {
	o := buildOptions{
		agentOptions: agentOptionsFrom(c), commitPlan: c.Bool("commit-plan"), allowDirty: c.Bool("allow-dirty"), dryRun: c.Bool("dry-run"),
	}
	var err error
	if o.goals, err = readLimits(c); err != nil {
		return o, err
	}
	o.goals.Once, o.goals.Stage, o.goals.Task = c.Bool("once"), schedule.Stage(strings.ToUpper(c.String("stage"))), c.String("task")
	o.goals.Push, o.goals.Strict = c.Bool("push"), c.Bool("strict")
	switch o.goals.Stage {
	case "", schedule.Build, schedule.Decompose, schedule.Verify, schedule.Investigate:
		return o, nil
	}
	return o, cmdline.Usage(c, "invalid stage %q: want BUILD, DECOMPOSE, VERIFY or INVESTIGATE", c.String("stage"))
}

func (o buildOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if err := o.resolveTask(ctx, st); err != nil {
		return err
	}
	runner, err := o.runner(ctx, env, st)
	if err != nil {
		return err
	}
	if o.dryRun {
		return runner.preview(ctx, env, o.goals)
	}
	if err := runner.recoverPrevious(ctx, env); err != nil { // before any question or change
		return err
	}
	if why, text, err := runner.unstarted(env, o.goals).Ready(ctx); err != nil || why != "" {
		if text == loop.CompleteText {
			if err := runner.checkPlanned(ctx, env); err != nil {
				return err
			}
		}
		return nothingToRun(why, text, err)
	}
	if err := runner.trust(ctx, env); err != nil {
		return err
	}
	if err := commitFirst(ctx, env, st, o.commitPlan); err != nil {
		return err
	}
	if err := allowDirty(ctx, env, runner, o.allowDirty); err != nil {
		return err
	}
	return runner.work(ctx, env, o.goals, "build")
}

// resolveTask replaces a shortened id by the full one.
func (o *buildOptions) resolveTask(ctx context.Context, st *store.Store) error {
	if o.goals.Task == "" {
		return nil
	}
	p, err := st.ValidPlan(ctx)
	if err != nil {
		return err
	}
	o.goals.Task, err = p.ResolveID(plan.KindTask, o.goals.Task)
	return err
}

// A WaitingError says that a run cannot begin, because its task is blocked.
type WaitingError struct{ error }

// nothingToRun returns the error of a run that does not begin.
func nothingToRun(why loop.Reason, text string, err error) error {
	if _, alone := errors.AsType[*loop.NoAgentError](err); alone {
		return &WaitingError{err}
	}
	if _, waits := errors.AsType[*plan.BlockedError](err); waits {
		return &cmdline.HintedError{Err: &WaitingError{err}, Hint: "without --task, `git ralph build` first does what it waits for"}
	}
	if err != nil {
		return err
	}
	if why == loop.Gate {
		return &cmdline.CodedError{Err: errors.New(string(why) + ": " + text), Code: cmdline.ExitGate}
	}
	nothing := &cmdline.NothingError{Text: strings.TrimSuffix(string(why)+": "+text, ": ")}
	if text == loop.NoSpecText || text == loop.CompleteText { // a plan that is complete may be one that nobody planned
		nothing.Hint = "`git ralph plan FILE` finds out what a spec still needs"
	}
	return nothing
}

// gateExit is the exit code of a run that ends where a person decides.
const gateExit = "  9    all that is left waits for a person: to approve a plan, or to move an item\n"

const runExits = runExitsBefore + runExitsAfter

const runExitsBefore = `
EXIT STATUS
  0    the plan is complete, or the goal of the command is reached
  1    failed; or all is done, but --push could not push it
  2    the command line is wrong; or the repository is not trusted
  3    there was nothing to do
  4    another loop, or another change of the plan, is under way
  5    the plan is not valid
  6    a limit was reached: iterations, time, cost or tokens
  7    no progress: three iterations in a row changed nothing (with --once, one);
       or every task, or the task of --task, is blocked
  8    the agent cannot be started, or failed three times in a row (with --once, once)
`

const runExitsAfter = `  130  interrupted
  141  the reader of the output closed it; the current iteration was finished
`

const aboutBuild = `Starts agents, one after another, until the plan is COMPLETE or a limit is
reached. Each agent gets the prompt of the plan's stage with the next task. An
agent either changes the plan with commands such as ` + "`git ralph task done`" + `, or ends
its output with a report, which is checked and applied.

--agent chooses the agent, else ralph.STAGE.agent or ralph.agent in git's
configuration. It is claude, codex, gemini, opencode, an agent that
ralph.agent.NAME.command defines, or a command line. --model, else
ralph.STAGE.model, chooses its model.

Ctrl-C stops the run after the current iteration, a second Ctrl-C stops it at once.
Nothing is lost: the next build continues where this one stopped.

ralph.notify in git's configuration is a command to run at the end of the run. Its
last argument is a sentence that says how the run ended, and its standard input is
the event "end".

The network is used only with --push: after tasks were accepted, the branch is
rebased onto its upstream and pushed, as "git push" does. A push that fails is
reported, and tried again after the next iteration and by the next run.

The plan must be committed: on a terminal build offers to do that, elsewhere give
--commit-plan. When you have changed tracked files, build asks before it begins;
--allow-dirty begins without asking, and these files are never committed.
` + runExitsBefore + gateExit + runExitsAfter + `
EXAMPLES
  git ralph build
  git ralph build --once --agent codex
  git ralph build --agent claude --agent verify=codex --model build=opus
  git ralph build --max-iterations 0 --max-time 8h --max-cost 20`
