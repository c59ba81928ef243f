package cli

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agent"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// agentOptions say which agent works, and how it is told of.
type agentOptions struct {
	agents []string // each NAME or STAGE=NAME
	models []string // each MODEL or STAGE=MODEL
	json   bool

	untrusted bool // without what the repository has for agents
}

func agentFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "agent", Usage: "the agent `NAME`, or a command line; STAGE=NAME for one stage"},
		&cli.StringSliceFlag{Name: "model", Usage: "the agent's `MODEL`; STAGE=MODEL for one stage"},
		&cli.BoolFlag{Name: "json", Usage: "print one event a line, as JSON"},
		untrustedFlag(),
	}
}

func agentOptionsFrom(c *cli.Context) agentOptions {
	return agentOptions{c.StringSlice("agent"), c.StringSlice("model"), c.Bool("json"), c.Bool("untrusted")}
}

// buildOptions say how far a run goes.
type buildOptions struct {
	agentOptions
	goals      loop.Goals
	commitPlan bool
	allowDirty bool
	dryRun     bool
}

// defaultIterations is how many agents a run starts at most where it is not said.
const defaultIterations = 20

func newBuild(env *Env) *cli.Command {
	return &cli.Command{
		Name: "build", Usage: "let an agent work on the plan until it is complete", Description: aboutBuild,
		Subcommands: []*cli.Command{newBuildStop(env)},
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "max-iterations", Value: defaultIterations, Usage: "start `N` agents at most; 0 for no limit"},
			&cli.StringFlag{Name: "max-time", Usage: "begin no iteration after `TIME`, such as 8h"},
			&cli.StringFlag{Name: "max-cost", Usage: "begin no iteration when `DOLLARS` are spent"},
			&cli.IntFlag{Name: "max-tokens", Usage: "begin no iteration when `N` tokens are used"},
			&cli.BoolFlag{Name: "once", Usage: "one iteration"},
			&cli.StringFlag{Name: "stage", Usage: "only while the plan is in `STAGE`"},
			&cli.StringFlag{Name: "task", Usage: "only the task with `ID`"},
			&cli.BoolFlag{Name: "strict", Usage: "take no new task whose acceptance criteria cannot be checked"},
			&cli.BoolFlag{Name: "push", Usage: "fetch, rebase and push whenever tasks were accepted"},
			&cli.BoolFlag{Name: "commit-plan", Usage: "commit a plan with uncommitted changes first, without asking"},
			&cli.BoolFlag{Name: "allow-dirty", Usage: "begin with changed files, without asking; they are not committed"},
			&cli.BoolFlag{Name: "dry-run", Usage: "print the next prompt and command, and start nothing"},
		}, agentFlags()...),
		Action: func(c *cli.Context) error {
			o, err := buildFrom(c)
			if err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

func buildFrom(c *cli.Context) (buildOptions, error) {
	o := buildOptions{
		agentOptions: agentOptionsFrom(c), commitPlan: c.Bool("commit-plan"), allowDirty: c.Bool("allow-dirty"), dryRun: c.Bool("dry-run"),
		goals: loop.Goals{
			Iterations: c.Int("max-iterations"), Tokens: c.Int("max-tokens"),
			Once: c.Bool("once"), Stage: schedule.Stage(strings.ToUpper(c.String("stage"))), Task: c.String("task"), Push: c.Bool("push"), Strict: c.Bool("strict"),
		},
	}
	if err := atMost(c, 0); err != nil {
		return o, err
	}
	if err := o.readLimits(c); err != nil {
		return o, err
	}
	switch o.goals.Stage {
	case "", schedule.Build, schedule.Decompose, schedule.Verify, schedule.Investigate:
		return o, nil
	}
	return o, usage(c, "invalid stage %q: want BUILD, DECOMPOSE, VERIFY or INVESTIGATE", c.String("stage"))
}

func (o buildOptions) run(ctx context.Context, env *Env) error {
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	if err := o.resolveTask(ctx, st); err != nil {
		return err
	}
	crew, err := o.crew(ctx, env, st)
	if err != nil {
		return err
	}
	if o.dryRun {
		return crew.preview(ctx, env, o.goals)
	}
	if err := crew.takeUp(ctx, env); err != nil { // before anything is asked or changed
		return err
	}
	if why, text, err := crew.onlooker(env, o.goals).Ready(ctx); err != nil || why != "" {
		if text == loop.CompleteText {
			if err := crew.checkPlanned(ctx, env); err != nil {
				return err
			}
		}
		return nothingToRun(why, text, err)
	}
	if err := crew.trust(ctx, env); err != nil {
		return err
	}
	if err := env.commitFirst(ctx, st, o.commitPlan); err != nil {
		return err
	}
	if err := env.allowDirty(ctx, crew, o.allowDirty); err != nil {
		return err
	}
	return crew.work(ctx, env, o.goals, "build")
}

// resolveTask makes a whole id of a shortened one.
func (o *buildOptions) resolveTask(ctx context.Context, st *store.Store) error {
	if o.goals.Task == "" {
		return nil
	}
	snap, err := st.View(ctx)
	if err != nil {
		return err
	}
	p, err := snap.Valid()
	if err != nil {
		return err
	}
	o.goals.Task, err = p.Resolve(plan.KindTask, o.goals.Task)
	return err
}

// A crew is what a loop is made of: the agent, the settings and who is told.
type crew struct {
	store    *store.Store
	journal  journal.Journal
	agents   loop.Agents
	settings loop.Settings
	json     bool

	untrusted bool  // nothing that the repository has for agents is used
	site      *site // what was trusted, else
}

// crew reads the configuration.
func (o agentOptions) crew(ctx context.Context, env *Env, st *store.Store) (crew, error) {
	if st.Repo().Bare() {
		return crew{}, store.ErrBare
	}
	config, err := st.Repo().Config(ctx)
	if err != nil {
		return crew{}, err
	}
	c := crew{store: st, journal: journal.Of(st.Repo().GitDir()), json: o.json}
	if c.agents, err = loop.ChooseAgents(o.agents, o.models, config, agent.Folders{Here: env.Dir, Root: st.Repo().Root()}); err != nil {
		return crew{}, err
	}
	if o.untrusted {
		if c.agents, err = c.agents.Untrusted(directoriesOf(st.Repo())); err != nil {
			return crew{}, err
		}
	}
	c.untrusted = o.untrusted
	c.settings, err = loop.ReadSettings(config)
	return c, err
}

// trust makes sure that agents may be started here.
func (c *crew) trust(ctx context.Context, env *Env) (err error) {
	if !c.untrusted {
		c.site, err = env.requireTrust(ctx, c.store)
	}
	return err
}

// takeUp makes sure that no other run is under way, and puts right what one that was killed left behind.
func (c crew) takeUp(ctx context.Context, env *Env) error {
	held, err := c.journal.Hold("git ralph build")
	if err != nil {
		return err
	}
	held.Release() //nolint:errcheck // what a killed run left is ended by whoever holds it
	env.endLeft(c.store)
	if held, err = c.journal.Hold("git ralph build"); err != nil {
		return err
	}
	defer held.Release() //nolint:errcheck // the run takes it again
	was, err := loop.TakeBackRebase(ctx, c.store, c.journal)
	if err != nil {
		return err
	}
	if was {
		env.warn("took back a rebase that a killed run had begun")
	}
	return env.shield(ctx, func(ctx context.Context) error {
		warning, err := loop.Recover(ctx, c.store, c.journal, c.settings)
		if warning != "" {
			env.warn(warning)
		}
		if err == nil {
			_, err = c.store.Recover(ctx)
		}
		return err
	})
}

// collectAt lets the garbage collector work again, which short commands do without.
const collectAt = 100

// work runs a loop and tells how it ended.
func (c crew) work(ctx context.Context, env *Env, goals loop.Goals, what string) error {
	debug.SetGCPercent(collectAt) // a run is long
	reporter := c.reporter(env)
	config := loop.Config{
		Store: c.store, Agents: c.agents, Environ: env.Environ, Goals: goals, Settings: c.settings,
		Reporter: reporter, Now: env.Now, PID: os.Getpid(), History: rejectionsOf(env, c.store), BuiltInPrompts: c.untrusted,
	}
	if c.site != nil {
		config.Untrusted = c.site.changed
		if err := errors.Join(c.site.look(false), c.site.refusal()); err != nil { // it may have changed since it was shown
			return err
		}
	}
	if why, text, err := loop.New(config).Ready(ctx); err != nil || why != "" {
		return nothingToRun(why, text, err)
	}
	run, err := c.journal.Begin(c.journal.RunName(env.Now(), env.Random), "git ralph "+what, c.settings.KeepRuns)
	if err != nil {
		return err
	}
	defer run.Close()
	ctx, soft, stop := env.stops(ctx)
	defer stop()
	config.Run, config.Soft = run, soft
	summary, err := loop.New(config).Run(ctx)
	reporter.finish(summary)
	c.notify(ctx, env, "git ralph "+what, summary)
	switch {
	case err != nil && summary.Why == loop.AgentFails: // it could not be started, which was told
		env.hint(hintFor(agent.ErrMissing))
	case err != nil:
		return err
	}
	return runEnd(summary)
}

// checkPlanned returns an error where the plan is complete because its spec has had no tasks yet.
func (c crew) checkPlanned(ctx context.Context, env *Env) error {
	snap, err := c.store.View(ctx)
	if err != nil {
		return err
	}
	if spec := snap.Plan.Spec(); !env.planned(ctx, spec) {
		return notPlanned(spec)
	}
	return nil
}

// A waitingError says that a run cannot begin, because what it is for waits.
type waitingError struct{ error }

// nothingToRun says why a run does not begin.
func nothingToRun(why loop.Reason, text string, err error) error {
	if _, waits := errors.AsType[*plan.BlockedError](err); waits {
		return &hintedError{&waitingError{err}, "without --task `git ralph build` does first what it waits for"}
	}
	if err != nil {
		return err
	}
	nothing := &nothingError{text: strings.TrimSuffix(string(why)+": "+text, ": ")}
	if text == loop.NoSpecText || text == loop.CompleteText { // a plan that is complete may be one that nobody planned
		nothing.hint = "`git ralph plan FILE` finds out what a spec still needs"
	}
	return nothing
}

// stops gives a context that ends what is under way at once, and a channel that asks to end after it.
func (e *Env) stops(ctx context.Context) (hard context.Context, soft <-chan struct{}, stop func()) {
	if e.Stops == nil {
		return ctx, nil, func() {}
	}
	return e.Stops(ctx)
}

// The exit codes of a run, beside those that every command has.
const (
	exitLimit       = 6
	exitNoProgress  = 7
	exitAgent       = 8
	exitInterrupted = 130
)

// runEnd makes the exit code of a run. Why it ended was told already, but for what no report tells.
func runEnd(s loop.Summary) error {
	switch s.Why {
	case loop.Nothing:
		return statusError(exitNothing)
	case loop.NotPushed:
		return statusError(exitFailed)
	case loop.LimitHit:
		return statusError(exitLimit)
	case loop.NoProgress:
		return statusError(exitNoProgress)
	case loop.AgentFails:
		return statusError(exitAgent)
	case loop.Interrupted:
		return statusError(exitInterrupted)
	}
	return nil
}

// endLeft ends what a run left behind that was killed, and removes the lock files of its git commands.
func (e *Env) endLeft(st *store.Store) {
	if e.Getenv(journal.RunVariable) != "" {
		return // this is part of a run itself
	}
	ended, removed := loop.EndLeft(st.Repo(), e.Now(), leftGrace)
	for _, p := range ended {
		what := "an agent"
		if p.Command != "" {
			what = "a `git " + p.Command + "`"
		}
		e.warn("ended " + what + " that a killed run had left behind")
	}
	for _, path := range removed {
		e.warn("removed the lock file of a git command that was killed: " + path)
	}
}

var errUncommitted = errors.New("the plan has uncommitted changes")

const runExits = `
EXIT STATUS
  0    the plan is complete, or what was asked for is done
  1    failed; or all is done here, and with --push could not be pushed
  2    the command line is wrong; or the repository is not trusted
  3    there was nothing to do
  4    another loop, or another change of the plan, is under way
  5    the plan is not valid
  6    a limit was reached: iterations, time, cost or tokens
  7    no progress: three iterations in a row changed nothing, or every task waits,
       or the one of --task
  8    the agent cannot be started, or failed three times in a row; once, with --once
  130  interrupted
`

const aboutBuild = `Starts an agent again and again, each time with the prompt of the plan's stage
and what is next, until the plan is COMPLETE or a limit is reached. The plan and
git decide what an agent did: it calls commands such as ` + "`git ralph task done`" + `, or
ends with a block that is checked and applied.

The agent is chosen by --agent, else by ralph.STAGE.agent and ralph.agent in git's
configuration: claude, codex, gemini, opencode, one that ralph.agent.NAME.command
defines, or a command line of its own; its model by --model or ralph.STAGE.model.

Ctrl-C ends the run after the iteration under way, a second one at once. Nothing
is lost: the next build goes on where this one stopped.

ralph.notify in git's configuration is a command that runs at the end: it is given a
sentence as its last argument, and the event that ends the run as standard input.

With --push, and only then, the network is used: when tasks were accepted, what is
here is put on top of the branch's upstream and pushed as "git push" does. What
cannot be pushed is reported, and tried again after the next step and by the next run.

The plan must be committed; on a terminal it is asked for, elsewhere --commit-plan
says yes. So it is about tracked files that you have changed: --allow-dirty begins
all the same, and they are never committed.
` + runExits + `
EXAMPLES
  git ralph build
  git ralph build --once --agent codex
  git ralph build --agent claude --agent verify=codex --model build=opus
  git ralph build --max-iterations 0 --max-time 8h --max-cost 20`
