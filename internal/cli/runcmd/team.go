package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
	"git-ralph/internal/team"
	"git-ralph/internal/work"
)

// teamOptions say who works in a team, and where the work goes.
type teamOptions struct {
	agentOptions
	roster team.Roster
	auto   bool     // the roster is what the work of items calls for
	items  []string // to plan first
	fresh  bool     // a worker is started for each job
	into   string   // full name of the target branch
	detach bool
	dryRun bool
	goals  loop.Goals // limits of the whole run
}

// NewTeam returns `git ralph team`.
func NewTeam(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "team", Usage: "let several agents work on one plan at once", Description: aboutTeam,
		Subcommands: []*cli.Command{{
			Name: "run", Usage: "start a team, and keep it going until the plan is complete", ArgsUsage: "[ROLE=N…] [ITEM…]", Description: aboutTeamRun,
			BashComplete: cmdline.CompletesArgs(planio.ItemIDs()),
			Flags: teamFlags(&cli.StringFlag{
				Name: "roster", Usage: "how many workers of each `ROLE`: analyst, builder, validator, integrator; or auto: as many as items call for", DefaultText: team.DefaultRoster,
			}),
			Action: func(c *cli.Context) error {
				o, err := teamFrom(c)
				if err != nil {
					return err
				}
				return o.run(c.Context, env)
			},
		}},
	}
}

// teamFlags are those of a run of several workers, after the one that says how many.
func teamFlags(size cli.Flag) []cli.Flag {
	flags := agentFlags()
	flags[0] = cmdline.Completes(&cli.StringSliceFlag{Name: "agent", Usage: "the agent `NAME`, or a command line; ROLE=NAME or STAGE=NAME for one role or stage"}, agentNames())
	return append([]cli.Flag{
		size,
		cmdline.Completes(&cli.StringFlag{Name: "into", Usage: "the target `BRANCH` (default: ralph.target, else the current branch)"}, cmdline.Revisions),
		&cli.StringFlag{Name: "max-time", Usage: "start no agent after `TIME`, such as 8h"},
		&cli.StringFlag{Name: "max-cost", Usage: "start no agent once all workers together have spent `DOLLARS`"},
		&cli.BoolFlag{Name: "detach", Usage: "let the workers go on when this command is stopped"},
		&cli.BoolFlag{Name: "dry-run", Usage: "show which workers would be started, and start nothing"},
	}, flags...)
}

// teamOptionsFrom reads all but who works.
func teamOptionsFrom(c *cli.Context) (o teamOptions, err error) {
	o = teamOptions{agentOptions: agentOptionsFrom(c), into: c.String("into"), detach: c.Bool("detach"), dryRun: c.Bool("dry-run")}
	if err := cmdline.RefuseRunWords(c, c.Args().Slice()); err != nil {
		return o, err
	}
	o.goals, err = readLimits(c)
	return o, err
}

func teamFrom(c *cli.Context) (teamOptions, error) {
	o, err := teamOptionsFrom(c)
	if err != nil {
		return o, err
	}
	var parts []string
	if parts, o.items = splitArgs(c.Args().Slice()); c.IsSet("roster") {
		parts = append(parts, c.String("roster"))
	}
	if o.auto = slices.Contains(parts, team.AutoRoster); o.auto && len(parts) > 1 {
		return o, cmdline.Usage(c, "invalid roster %q: want %s alone, or roles and numbers", strings.Join(parts, ","), team.AutoRoster)
	} else if o.auto {
		return o, nil
	}
	if len(parts) == 0 {
		parts = []string{team.DefaultRoster}
	}
	if o.roster, err = team.ParseRoster(strings.Join(parts, ",")); err != nil {
		return o, cmdline.Usage(c, "%v", err)
	}
	return o, nil
}

func (o teamOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	general := o.agentOptions
	general.words = o.wordsOf("")
	c, err := general.runner(ctx, env, st)
	if err != nil {
		return err
	}
	claims, err := planio.OpenClaims(ctx, env, st, "")
	if err != nil {
		return err
	}
	if o.into, err = o.target(ctx, env, st, claims); err != nil {
		return err
	}
	l, err := o.launcher(ctx, env, st)
	if err != nil {
		return err
	}
	reader := &team.BoardReader{Store: st, Claims: claims.Claims, Into: o.into}
	if reader.Integration, err = planio.Integration(ctx, st); err != nil {
		return err
	}
	if err := o.sizeBy(ctx, reader); err != nil {
		return err
	}
	if o.dryRun {
		return o.preview(ctx, env, l, reader)
	}
	if err := c.recoverPrevious(ctx, env); err != nil {
		return err
	}
	planned, err := o.begin(ctx, env, &c, reader)
	if err != nil {
		return err
	}
	dir, err := work.OpenDirectory(ctx, st.Repo())
	if err != nil {
		return err
	}
	if o.auto {
		o.roster = o.roster.With(team.Left(dir.Workers(), pipeline.MaxWorkers))
	}
	if _, err := reader.ReleaseDead(ctx, o.roster.Members()); err != nil {
		return err
	}
	poll := boardPoll
	if claims.Remote() != "" {
		poll = remoteBoardPoll
	}
	return o.start(ctx, env, c, o.finish(ctx, env, st, claims), team.Config{
		Members: o.roster.Members(), Planned: planned, Fresh: o.fresh, Command: l.command, Journal: workerJournal(st), Board: reader.Read, Poll: poll, Again: cmp.Or(testPause(ctx, env, st), work.LandAgain), Goals: o.goals,
		Runs: func(name string) bool { _, runs := dir.Runs(name); return runs },
	})
}

// finish returns what is done at the end of a run, whose plan may be complete: workplans are finished, and what has landed is removed.
func (o teamOptions) finish(ctx context.Context, env *term.Env, st *store.Store, claims *planio.Claims) func(context.Context, bool) error {
	workplans := workplansOf(ctx, claims)
	return func(ctx context.Context, complete bool) error {
		if branch, err := st.Repo().HeadRef(ctx); err == nil && branch == o.into {
			finishWorkplans(ctx, env, st.Repo().Root(), workplans, complete)
		}
		if !complete {
			return nil
		}
		cleaner := work.Cleaner{Repo: st.Repo(), Claims: claims.Claims, OpenStore: openStoreOf(env), Into: o.into}
		_, err := cleaner.Clean(ctx)
		return err
	}
}

// How often the team looks at the target and the claims: over a remote, that is a fetch.
const (
	boardPoll       = 200 * time.Millisecond
	remoteBoardPoll = 5 * time.Second
)

// target returns the full name of the target branch. Unless nothing is started, it is one that GitHub lets us push to, as far as is known.
func (o teamOptions) target(ctx context.Context, env *term.Env, st *store.Store, claims *planio.Claims) (string, error) {
	target := claims.Target
	if o.into != "" {
		target = "refs/heads/" + strings.TrimPrefix(o.into, "refs/heads/")
	}
	if target == "" {
		return "", &cmdline.HintedError{Err: errors.New("no target branch: HEAD is on no branch, and ralph.target is not set"), Hint: "--into names it"}
	}
	if o.dryRun {
		return target, nil
	}
	now, err := planio.WritableTarget(ctx, env, st, target)
	if now != target {
		claims.Target = now
	}
	return now, err
}

// workerJournal returns how to find the journal of a worker's worktree.
func workerJournal(st *store.Store) func(name string) (journal.Journal, bool) {
	common := st.Repo().CommonDir()
	return func(name string) (journal.Journal, bool) {
		dir := common + "/worktrees/" + name
		_, err := os.Stat(dir)
		return journal.Of(dir), err == nil
	}
}

// start runs the team and reports how its run ended. Unless somebody interrupted it, finish is called then, with whether the plan is
// complete.
func (o teamOptions) start(ctx context.Context, env *term.Env, c runner, finish func(context.Context, bool) error, config team.Config) error {
	debug.SetGCPercent(collectAt) // a run is long
	what := o.commandName()
	if o.detach {
		what += detachedText
	}
	run, err := c.journal.Begin(c.journal.RunName(env.Now(), env.Random), what, c.settings.KeepRuns)
	if err != nil {
		return err
	}
	defer run.Close()
	run.AgentBegan(proc.ID{}) // so that the next command removes the locks of git's that a SIGKILL of all leaves
	defer run.AgentEnded()
	ctx, stopRequested, stop := env.StopContext(ctx)
	defer stop()
	reporter := newTeamReporter(env, o.json)
	config.Run, config.Reporter, config.Debug, config.Now, config.PID = run, reporter, env.Debug, env.Now, os.Getpid()
	config.Grace, config.Backoff, config.Detach, config.StopRequested = c.settings.Grace, team.Backoff, o.detach, stopRequested
	summary, err := team.New(config).Do(ctx)
	first := stop()
	path, reportErr := run.WriteReport(teamReport(o.title()+run.Name, summary))
	if reportErr != nil {
		path = ""
	}
	reporter.finish(summary, path)
	c.notify(ctx, env, o.commandName(), summary.Summary)
	if err = cmp.Or(err, reportErr); err != nil {
		return err
	}
	complete := summary.Why == loop.Complete
	if summary.Why != loop.Interrupted {
		if err := finish(context.WithoutCancel(ctx), complete); err != nil {
			env.Warn("cannot remove what has landed: " + err.Error())
		}
	}
	if !complete {
		return &EndError{summary.Why, first}
	}
	return nil
}

// detachedText ends how the lock of a run names it whose workers go on without it.
const detachedText = " --detach"

// commandName returns the command that the run is of.
func (o teamOptions) commandName() string {
	if o.fresh {
		return "git ralph hero"
	}
	return "git ralph team run"
}

// title returns how the report of a run begins, before its name.
func (o teamOptions) title() string {
	if o.fresh {
		return "Hero run "
	}
	return "Team run "
}

// assignments returns who would be started for what. The board is read where that decides.
func (o teamOptions) assignments(ctx context.Context, reader *team.BoardReader) (all []team.Assignment, err error) {
	var board team.Board
	if o.fresh || o.auto || len(o.items) > 0 {
		if board, err = reader.Read(ctx); err != nil {
			return nil, err
		}
	}
	if o.fresh {
		return board.Assign(o.roster.Members()), nil
	}
	for _, m := range o.roster.With(board.Roster).Members() {
		all = append(all, team.Assignment{Member: m})
	}
	return all, nil
}

// preview shows what would be planned, and who would be started.
func (o teamOptions) preview(ctx context.Context, env *term.Env, l launcher, reader *team.BoardReader) error {
	var planned []plan.Event
	o.planAhead(reader, &planned)
	workers, err := o.assignments(ctx, reader)
	if err != nil {
		return err
	}
	if o.json || !env.Terminal {
		env.WriteJSON(func(w term.Sink) {
			out := term.Object{Sink: w}
			out.Str("into", strings.TrimPrefix(o.into, "refs/heads/"))
			if len(o.items) > 0 {
				out.List("planned", eventIDs(planned))
			}
			out.Member("workers")
			term.WriteArray(w, len(workers), func(i int) {
				one := term.Object{Sink: w}
				one.Str("name", workers[i].Name)
				one.Str("role", string(workers[i].Role))
				one.List("command", l.line(workers[i]))
				one.End()
			})
			out.End()
		})
		return nil
	}
	for _, e := range planned {
		env.WriteLine(term.Printable("would be added: " + e.ID + " " + term.FirstLineOf(e.Title)))
	}
	for _, m := range workers {
		env.WriteLine(term.Printable(fmt.Sprintf("%-13s  %s", m.Name, term.ShellLine(l.line(m)))))
	}
	return nil
}

const aboutTeam = `Lets several workers work on one plan, each a process and a worktree of its own.

EXIT STATUS
  2  the command line is wrong

EXAMPLES
  git ralph team run`

const aboutTeamRun = `Starts the workers of a roster, each as git ralph work in a worktree of its own, and
lands what they finish on the target branch, until the plan there is COMPLETE. Your
own worktree stays as it is, but for a target branch that is checked out there.

With items, the tasks that they still need are added first, as by git ralph pipeline
plan, in the target. With --roster auto there are as many workers as these items
call for, else those that have tasks, as git ralph pipeline position suggests; and
more once that suggests more, as when streams are known after the research.

Nobody assigns work: workers claim the next task of their role themselves. Roles are
analyst (INVESTIGATE), builder (BUILD, DECOMPOSE), validator (VERIFY) and integrator,
which lands; without one, each worker lands what it has finished. A task names its
role; one without is a builder's. There is always a validator. A worker that dies is
started again, three times at most, and goes on with what is left of its work.

Ctrl-C ends the run after the iterations under way, a second Ctrl-C ends it at once.
If this command is killed, its workers end; with --detach they go on, also after a
Ctrl-C. The next team run continues from the plan, the claims and the branches.

` + teamScreen + teamExits + `
EXAMPLES
  git ralph team run
  git ralph team run builder=5 --agent claude --agent validator=codex
  git ralph team run --roster auto GH-42 GH-43
  git ralph team run --roster analyst=1,builder=2 --into main --detach`

const teamScreen = `On a terminal there is a line for each worker; --json prints one event a line. At the
end there is a summary by worker and by task, also in report.md of the run's
directory below .git/ralph/runs. ralph.notify in git's configuration is a command to
run then; see git ralph help build.

`

const teamExits = `EXIT STATUS
  0    the plan is complete, and everything has landed
  1    failed, or a worker died again and again
  2    the command line is wrong; or the repository is not trusted; or GitHub protects
       the target, and there is no terminal to offer git ralph github integrate
  3    there was nothing to do
  4    another run is under way in this worktree
  5    the plan is not valid
  6    a limit was reached: time or cost of the run, or of a worker
  7    no progress: all that is left is blocked, or got nowhere
  8    agents cannot be started, or fail again and again
  9    all that is left waits for a person: to approve a plan, to move an item, or to
       close an issue
  130  interrupted
  141  the reader of the output closed it; the current iterations were finished
`
