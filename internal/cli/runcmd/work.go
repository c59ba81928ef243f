package runcmd

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/trustprompt"
	"git-ralph/internal/evidence"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/config"
	"git-ralph/internal/iteration"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/store"
	"git-ralph/internal/team"
	"git-ralph/internal/work"
	"git-ralph/internal/worktree"
)

// workOptions say what a worker does.
type workOptions struct {
	agentOptions
	goals      loop.Goals
	role, name string
	into       string
	once, wait bool
	task       string
	rest       bool
	dryRun     bool
	noLand     bool
}

// NewWork makes the command.
func NewWork(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "work", Usage: "let an agent do tasks in a worktree of its own, beside other workers", Description: aboutWork,
		Subcommands: []*cli.Command{newWorkClean(env)},
		Flags: append([]cli.Flag{
			cmdline.Completes(&cli.StringFlag{Name: "role", Value: work.Builder, Usage: "do the tasks of `ROLE`: " + strings.Join(work.Roles(), ", ")}, cmdline.OneOf(work.Roles()...)),
			&cli.StringFlag{Name: "worker", Usage: "be the worker `NAME`, whose worktree has that name (default: the first free one of worker-1, worker-2, …)"},
			cmdline.Completes(&cli.StringFlag{Name: "into", Usage: "the target `BRANCH` (default: ralph.target, else the current branch)"}, cmdline.Revisions),
			&cli.BoolFlag{Name: "once", Usage: "do one task"},
			cmdline.Completes(&cli.StringFlag{Name: "task", Usage: "do the task `ID` only, whatever its role"}, planio.PendingIDs()),
			&cli.BoolFlag{Name: "no-tasks", Usage: "only land what waits, or do one review of the role"},
			&cli.BoolFlag{Name: "wait", Usage: "wait for others where all that is left depends on them"},
			&cli.BoolFlag{Name: "no-land", Usage: "leave finished branches to an integrator"},
			&cli.BoolFlag{Name: "dry-run", Usage: "print which task would be claimed, and start nothing"},
			&cli.IntFlag{Name: "max-iterations", Usage: "start at most `N` agents"},
			&cli.StringFlag{Name: "max-time", Usage: "start no agent after `TIME`, such as 8h"},
			&cli.StringFlag{Name: "max-cost", Usage: "start no agent once `DOLLARS` are spent"},
			&cli.IntFlag{Name: "max-tokens", Usage: "start no agent once `N` tokens are used"},
		}, agentFlags()...),
		Action: func(c *cli.Context) error {
			o := workOptions{
				agentOptions: agentOptionsFrom(c), role: c.String("role"), name: c.String("worker"), into: c.String("into"),
				once: c.Bool("once"), wait: c.Bool("wait"), task: c.String("task"), rest: c.Bool("no-tasks"), dryRun: c.Bool("dry-run"), noLand: c.Bool("no-land"),
			}
			if err := o.check(c); err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

func (o *workOptions) check(c *cli.Context) error {
	if !slices.Contains(work.Roles(), o.role) {
		return cmdline.Usage(c, "invalid role %q: want one of %s", o.role, strings.Join(work.Roles(), ", "))
	}
	if err := work.CheckName(o.name); o.name != "" && err != nil {
		return cmdline.Usage(c, "%v", err)
	}
	one := o.task != "" || o.rest
	if one && o.wait || o.task != "" && o.rest {
		return cmdline.Usage(c, "--task, --no-tasks and --wait exclude each other")
	}
	o.once = o.once || one
	var err error
	o.goals, err = readLimits(c)
	return err
}

func (o workOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	r, err := o.runner(ctx, env, st)
	if err != nil {
		return err
	}
	w, err := o.worker(ctx, env, r)
	if err != nil {
		return err
	}
	if o.dryRun {
		return o.preview(ctx, env, w)
	}
	if err := r.agents.Check(o.goals, env.Environ); err != nil {
		return err
	}
	if err := r.trust(ctx, env); err != nil {
		return err
	}
	if err := mergeByRules(ctx, env, w); err != nil {
		return err
	}
	debug.SetGCPercent(collectAt)
	reporter := r.reporter(env)
	ctx, requested, stop := env.StopContext(ctx)
	defer stop()
	w.Loop.Reporter, w.Loop.StopRequested = reporter, requested
	summary, err := w.Run(ctx)
	first := stop()
	if err != nil {
		return err
	}
	reporter.finish(summary)
	if w.TeamRun == "" && summary.Iterations > 0 {
		r.notify(ctx, env, "git ralph work", summary)
	}
	if summary.Why == loop.Complete || summary.Why == loop.Reached {
		return nil
	}
	return &EndError{summary.Why, first}
}

// preview prints one of which tasks would be claimed.
func (o workOptions) preview(ctx context.Context, env *term.Env, w *work.Worker) error {
	tasks, why, text, err := w.Preview(ctx)
	switch {
	case err != nil:
		return err
	case o.json:
		env.WriteJSON(func(sink term.Sink) {
			out := term.Object{Sink: sink}
			out.Member("claims_one_of")
			term.WriteArray(sink, len(tasks), func(i int) {
				one := term.Object{Sink: sink}
				one.Str("id", tasks[i].ID())
				one.Str("name", tasks[i].Name())
				one.End()
			})
			out.StrOrNull("why", string(why))
			out.StrOrNull("text", text)
			out.End()
		})
	case len(tasks) > 0:
		env.Print("would claim one of")
		for _, task := range tasks {
			env.Print("  " + task.ID() + " " + term.FirstLineOf(task.Name()))
		}
	case why == "":
		env.Print("would wait for others")
	default:
		env.Print(string(why) + ": " + text)
	}
	if why == "" || why == loop.Complete || why == loop.Reached {
		return nil
	}
	return &EndError{Why: why}
}

// isRunning returns what reports whether a run is under way in a worktree.
func isRunning(j journal.Journal) func() bool {
	return func() bool {
		_, running := j.Running()
		return running
	}
}

// The leases of workers' claims: a renewal over a remote is a push.
const (
	localLease  = 15 * time.Minute
	remoteLease = time.Hour
	minLease    = 3 * time.Second
)

// worker makes the worker.
func (o workOptions) worker(ctx context.Context, env *term.Env, r runner) (*work.Worker, error) {
	into, err := planio.RequireTarget(ctx, r.store, o.into)
	if err != nil {
		return nil, err
	}
	claims, err := planio.OpenAuthority(ctx, r.store)
	if err != nil {
		return nil, err
	}
	checks, err := evidence.NewRunner(ctx, r.store.Repo(), env.Environ, env.Now)
	if err != nil {
		return nil, err
	}
	mark, _ := config.Getenv(env.Environ, team.Mark)
	run, _, _ := strings.Cut(mark, "/")
	w := &work.Worker{
		Store: r.store, Claims: claims, Name: o.name, Role: o.role, Into: into, Once: o.once, Task: o.task, Rest: o.rest, Wait: o.wait, TeamRun: run, HasTeam: isRunning(r.journal), NoLand: o.noLand, Random: env.Random,
		By: commit.AuthorAddress(ctx, r.store.Repo()),
		Loop: loop.Config{
			Agents: r.agents, Goals: o.goals, Settings: r.settings, Now: env.Now, PID: os.Getpid(), BuiltInPrompts: o.untrusted,
			Checks: checks, Items: func(ctx context.Context) (pipeline.Finishing, error) {
				return planio.WorkerItemRules(ctx, env, r.store)
			},
		},
		OpenStore: openStoreOf(env),
		History:   func(st *store.Store) iteration.History { return rejectionsOf(env, st) },
		Prepare: func(ctx context.Context, st *store.Store) (loop.Agents, func() []string, error) {
			return o.prepare(ctx, env, r, st)
		},
	}
	if w.Lease, err = leaseOf(ctx, r.store, claims); err != nil {
		return nil, err
	}
	if w.Landing.Integration, err = planio.Integration(ctx, r.store); err != nil {
		return nil, err
	}
	if w.Landing.Integration == pipeline.ByPullRequests {
		w.Advance = func(ctx context.Context) error { return advancePulls(ctx, env, into) }
		w.Again = testPause(ctx, env, r.store)
	}
	return w, w.Landing.Configure(ctx, r.store)
}

// leaseOf returns the lease of a worker's claims, as ralph.claims.lease sets it.
func leaseOf(ctx context.Context, st *store.Store, claims *authority.Claims) (time.Duration, error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return 0, err
	}
	if text, ok := settings.Get("ralph.claims.lease"); ok {
		lease, err := config.ParseDuration(text)
		if err != nil || lease < minLease || lease > claim.MaxLease {
			return 0, fmt.Errorf("%w ralph.claims.lease %q: want a duration from %v to %v", loop.ErrSetting, text, minLease, claim.MaxLease)
		}
		return lease, nil
	}
	if claims.Remote() != "" {
		return remoteLease, nil
	}
	return localLease, nil
}

// mergeByRules makes git merge plans by their rules in the worker's worktree, for the worker and its agents.
func mergeByRules(ctx context.Context, env *term.Env, w *work.Worker) error {
	environ, err := planio.AgentEnviron(ctx, env, w.Store)
	if err != nil {
		return err
	}
	there := *env
	there.Environ = worktree.Environ(environ)
	w.Loop.Environ, w.OpenStore = there.Environ, openStoreOf(&there)
	return nil
}

// openStoreOf opens the plans of other worktrees than the one that the user is in.
func openStoreOf(env *term.Env) work.OpenStore {
	there := *env
	there.Environ = worktree.Environ(env.Environ)
	return func(ctx context.Context, dir string) (*store.Store, error) {
		there := there
		there.Dir = dir
		return planio.Open(ctx, &there)
	}
}

// prepare returns the agents for a worker's worktree, if what is checked out there is trusted.
func (o workOptions) prepare(ctx context.Context, env *term.Env, r runner, there *store.Store) (loop.Agents, func() []string, error) {
	if o.untrusted {
		agents, err := o.chooseAgents(ctx, env, r.store, there)
		return agents, nil, err
	}
	site, err := trustprompt.SiteOf(ctx, env, there)
	if err != nil {
		return nil, nil, err
	}
	if err := site.Refusal(); err != nil {
		hint := "`git ralph -C " + term.ShellLine([]string{there.Repo().Root()}) + " trust` lists what is checked out there, and asks"
		return nil, nil, &cmdline.HintedError{Err: err, Hint: hint}
	}
	return r.agents, site.Changed, nil
}

const workExits = `
EXIT STATUS
  0    the plan is complete, or nothing is left for the role
  1    failed
  2    the command line is wrong; or the repository is not trusted
  3    there was nothing to do
  4    others have the rest, or it waits to land; or that worker runs already
  5    the plan of the target is not valid
  6    a limit was reached: iterations, time, cost or tokens
  7    all that is left is blocked, or got nowhere
  8    the agent cannot be started, or failed three times in a row
  9    all that is left waits for a person: to approve a plan, to move an item, or to
       close an issue
  130  interrupted
  141  the reader of the output closed it; the current iteration was finished
`

const aboutWork = `Claims a task of its role, lets an agent do it in a worktree of its own, on a branch
of the task, and goes on with the next one until none is left. Any number of workers
can run at once, in this clone and, with ralph.claims.remote, in others. Your own
worktree, index, branches and stash stay as they are.

The worktrees are in .ralph/worktrees (ralph.worktrees), which git status does not
list. What is ignored there stays between tasks, so builds need not begin anew. The
command line ralph.worktree.setup runs in each new one.

A task that is done lands on the target, as with ` + "`git ralph land`" + `: the branch is
ralph-work/ID.XXXX. A conflict is given to the next agent. With --no-land the branch
waits for an integrator: --role integrator lands what waits. A validator verifies what
is done on the target (VERIFY), an analyst looks into issues (INVESTIGATE).

A task that a worker gives up keeps its branch, and the next worker continues there.
Nothing that an agent left uncommitted is lost: it is committed to the branch before
the worktree is used again, also after a SIGKILL.

With --wait the worker sleeps while others can change what there is to do. With --task
it does that task, with --no-tasks what needs no claim; both end the worker then.
--agent and --model are those of ` + "`git ralph build`" + `.

Ctrl-C stops after the current iteration, a second Ctrl-C at once.
` + workExits + `
EXAMPLES
  git ralph work
  git ralph work --once --role validator
  git ralph work --wait --worker anna --into main --agent codex --max-cost 20`
