package runcmd

import (
	"context"
	"errors"
	"os"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agent"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/trustprompt"
	"git-ralph/internal/evidence"
	"git-ralph/internal/iteration"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// A runner holds what a loop needs: the store, the journal, the agents and the settings.
type runner struct {
	store    *store.Store
	journal  journal.Journal
	agents   loop.Agents
	settings loop.Settings
	json     bool

	untrusted bool              // agents use nothing that the repository has for them
	site      *trustprompt.Site // what was trusted; nil where untrusted
}

// runner returns a runner with the settings of the configuration and the flags.
func (o agentOptions) runner(ctx context.Context, env *term.Env, st *store.Store) (runner, error) {
	if st.Repo().Bare() {
		return runner{}, store.ErrBare
	}
	config, err := st.Repo().Config(ctx)
	if err != nil {
		return runner{}, err
	}
	c := runner{store: st, journal: journal.Of(st.Repo().GitDir()), json: o.json, untrusted: o.untrusted}
	if c.agents, err = o.chooseAgents(ctx, env, st); err != nil {
		return runner{}, err
	}
	c.settings, err = loop.ReadSettings(config)
	return c, err
}

// chooseAgents returns the agents that the flags and the configuration name. Without trust, they leave out what the repository
// has for them in its worktree and in those of others.
func (o agentOptions) chooseAgents(ctx context.Context, env *term.Env, st *store.Store, others ...*store.Store) (loop.Agents, error) {
	config, err := st.Repo().Config(ctx)
	if err != nil {
		return nil, err
	}
	agents, err := o.words.Choose(config, agent.Directories{Here: env.Dir, Root: st.Repo().Root()}, env.Environ)
	if err != nil || !o.untrusted {
		return agents, err
	}
	var roots []string
	for _, st := range append(others, st) {
		roots = append(roots, trustprompt.DirectoriesOf(st.Repo())...)
	}
	return agents.Untrusted(roots)
}

// trust makes sure that agents may be started here.
func (c *runner) trust(ctx context.Context, env *term.Env) (err error) {
	if !c.untrusted {
		c.site, err = trustprompt.RequireTrust(ctx, env, c.store)
	}
	return err
}

// recoverPrevious makes sure that no other run is under way, and recovers the previous one where it was killed.
func (c runner) recoverPrevious(ctx context.Context, env *term.Env) error {
	held, err := c.journal.Hold("git ralph build")
	if err != nil {
		return err
	}
	held.Release() //nolint:errcheck // RecoverPreviousRun takes it itself
	planio.RecoverPreviousRun(env, c.store)
	if held, err = c.journal.Hold("git ralph build"); err != nil {
		return err
	}
	defer held.Release() //nolint:errcheck // the run takes it again
	return env.UntilSignal(ctx, func(ctx context.Context) error {
		warnings, err := loop.RecoverPreviousRun(ctx, c.store, c.journal, c.settings)
		for _, warning := range warnings {
			env.Warn(warning)
		}
		return err
	})
}

// collectAt lets the garbage collector work again, which short commands do without.
const collectAt = 100

// claims returns what reads the claims, so that an agent is not given what somebody else works on.
func (c runner) claims(env *term.Env) func(context.Context) schedule.Claims {
	return func(ctx context.Context) schedule.Claims { return planio.ScheduleClaims(ctx, env, c.store) }
}

// itemRules returns what reads how tasks of items are finished.
func (c runner) itemRules(env *term.Env) iteration.ItemRules {
	return func(ctx context.Context) (pipeline.Finishing, error) { return planio.ItemRules(ctx, env, c.store) }
}

// work runs a loop and reports how it ended.
func (c runner) work(ctx context.Context, env *term.Env, goals loop.Goals, what string) error {
	debug.SetGCPercent(collectAt) // a run is long
	reporter := c.reporter(env)
	checks, err := evidence.NewRunner(ctx, c.store.Repo(), env.Environ, env.Now)
	if err != nil {
		return err
	}
	agents, err := planio.AgentEnviron(ctx, env, c.store)
	if err != nil {
		return err
	}
	config := loop.Config{
		Store: c.store, Agents: c.agents, Environ: agents, Goals: goals, Settings: c.settings,
		Reporter: reporter, Now: env.Now, PID: os.Getpid(), History: rejectionsOf(env, c.store), BuiltInPrompts: c.untrusted,
		Checks: checks, Claims: c.claims(env),
		Fence:  func(ctx context.Context, id string) error { return planio.Fence(ctx, env, c.store, id) },
		Update: planio.UpdateOfRun(env), Items: c.itemRules(env),
	}
	if c.site != nil {
		config.Untrusted = c.site.Changed
		if err := errors.Join(c.site.Look(false), c.site.Refusal()); err != nil { // it may have changed since it was shown
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
	ctx, stopRequested, stop := env.StopContext(ctx)
	defer stop()
	config.Run, config.StopRequested = run, stopRequested
	summary, err := loop.New(config).Run(ctx)
	first := stop()
	reporter.finish(summary)
	c.notify(ctx, env, "git ralph "+what, summary)
	switch {
	case err != nil && summary.Why == loop.AgentFails: // it could not be started, which was reported
		env.Hint(planio.HintFor(agent.ErrMissing))
	case err != nil:
		return err
	}
	if summary.Why == loop.Complete || summary.Why == loop.Reached {
		return nil
	}
	return &EndError{summary.Why, first}
}

// checkPlanned returns an error where a complete plan has a spec that has had no tasks yet.
func (c runner) checkPlanned(ctx context.Context, env *term.Env) error {
	snap, err := c.store.View(ctx)
	if err != nil {
		return err
	}
	if spec := snap.Plan.Spec(); !planio.Planned(ctx, env, spec) {
		return planio.NotPlanned(spec)
	}
	return nil
}

// An EndError is why a run ended before the plan was complete. It was reported already.
type EndError struct {
	Why    loop.Reason
	Signal os.Signal // the one that stopped it, if any
}

func (e *EndError) Error() string { return string(e.Why) }

// agentOptions say which agents work, and how their run is reported.
type agentOptions struct {
	words loop.AgentFlags
	json  bool

	untrusted bool // run agents without what the repository has for them
}

func agentFlags() []cli.Flag {
	return []cli.Flag{
		cmdline.Completes(&cli.StringSliceFlag{Name: "agent", Usage: "the agent `NAME`, or a command line; STAGE=NAME for one stage"}, cmdline.OneOf(agent.Names()...)),
		&cli.StringSliceFlag{Name: "model", Usage: "the agent's `MODEL`; STAGE=MODEL for one stage"},
		&cli.BoolFlag{Name: "json", Usage: "print one event a line, as JSON"},
		trustprompt.UntrustedFlag(),
	}
}

func agentOptionsFrom(c *cli.Context) agentOptions {
	return agentOptions{loop.AgentFlags{Agents: c.StringSlice("agent"), Models: c.StringSlice("model")}, c.Bool("json"), c.Bool("untrusted")}
}
