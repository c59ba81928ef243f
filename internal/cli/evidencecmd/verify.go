package evidencecmd

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/evidence"
	"git-ralph/internal/git/config"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// verifyOptions say which checks to run, and on what.
type verifyOptions struct {
	ids    []string
	all    bool          // pending tasks too
	at     string        // a commit; "" for the usual one
	limit  time.Duration // of one check; 0 for that of the configuration
	replay bool          // receipts, instead of the checks in the plan
	since  string        // only the receipts since this date or commit
	dryRun bool
	format cmdline.Format
}

func NewVerify(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "run the checks of tasks on a commit", ArgsUsage: "[ID…]", Description: aboutVerify,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "the checks of all tasks in the plan, pending ones too; with --replay, the receipts on all branches"},
			cmdline.Completes(&cli.StringFlag{Name: "at", Usage: "run them on the commit `REV`"}, cmdline.Revisions),
			&cli.StringFlag{Name: "limit", Usage: "end a check after `DURATION`, such as 90s or 15m"},
			&cli.BoolFlag{Name: "replay", Usage: "run the receipts of accepted tasks again, and compare"},
			cmdline.Completes(&cli.StringFlag{Name: "since", Usage: "with --replay, receipts since `DATE`, in any of git's words, or since a commit"}, cmdline.Revisions),
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would be run, and run nothing"},
		}, cmdline.FormatFlags()...),
		BashComplete: cmdline.CompletesArgs(planio.CheckedIDs()),
		Action: func(c *cli.Context) error {
			o := verifyOptions{ids: c.Args().Slice(), all: c.Bool("all"), at: c.String("at"), dryRun: c.Bool("dry-run"), format: cmdline.FormatFrom(c)}
			o.replay, o.since = c.Bool("replay"), c.String("since")
			switch {
			case o.replay && o.at != "":
				return cmdline.Usage(c, "--at and --replay both say on which commits to run checks")
			case !o.replay && c.IsSet("since"):
				return cmdline.Usage(c, "--since is for --replay")
			case !o.replay && o.all && len(o.ids) > 0:
				return cmdline.Usage(c, "--all and ids both say which tasks to check")
			}
			if c.IsSet("limit") {
				var err error
				if o.limit, err = config.ParseDuration(c.String("limit")); err != nil || o.limit <= 0 {
					return cmdline.Usage(c, "invalid --limit %q: want seconds, or a duration such as 15m", c.String("limit"))
				}
			}
			if o.replay {
				return o.runReplay(c.Context, env)
			}
			return o.run(c.Context, env)
		},
	}
}

// runner returns what runs checks, with the limit of --limit where it was given.
func (o verifyOptions) runner(ctx context.Context, env *term.Env, st *store.Store) (*evidence.Runner, error) {
	runner, err := planio.CheckRunner(ctx, env, st)
	if err == nil && o.limit > 0 {
		runner.Limit = o.limit
	}
	return runner, err
}

func (o verifyOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	v, err := planio.ViewWorktree(ctx, env, st)
	if err != nil {
		return err
	}
	if o.at != "" { // a mistake in it counts before there being nothing to run
		if _, err := st.Resolve(ctx, o.at); err != nil {
			return err
		}
	}
	checks, err := o.checks(v)
	if err != nil {
		return err
	}
	runner, err := o.runner(ctx, env, st)
	if err != nil {
		return err
	}
	at, err := runner.Commit(ctx, o.at)
	if err != nil {
		return err
	}
	results := runner.Judge(checks)
	if !o.dryRun {
		if results, err = planio.RunChecks(ctx, env, runner, at, checks); err != nil {
			return err
		}
	}
	verification{at, results}.print(env, o.format)
	planio.HintNotAllowed(env, results)
	return statusOf(results)
}

// checks returns the checks of the tasks that are meant.
func (o verifyOptions) checks(v planio.View) ([]evidence.Check, error) {
	tasks := v.Done()
	switch {
	case len(o.ids) > 0:
		ids, err := v.Plan.ResolveIDs(plan.KindTask, o.ids)
		if err != nil {
			return nil, err
		}
		tasks = nil
		for _, id := range ids {
			task, _ := v.Plan.Task(id)
			if len(task.Checks()) == 0 {
				return nil, &cmdline.NothingError{Text: id + " has no check", Hint: "`git ralph task edit " + id + " --check 'COMMAND'` gives it one"}
			}
			tasks = append(tasks, &task)
		}
	case o.all:
		tasks = v.Tasks()
	}
	checks := evidence.ChecksOf(tasks)
	if len(checks) == 0 {
		return nil, &cmdline.NothingError{Text: o.nothing(), Hint: "`git ralph task edit ID --check 'COMMAND'` gives a task one"}
	}
	return checks, nil
}

func (o verifyOptions) nothing() string {
	if o.all {
		return "no task has a check"
	}
	return "no done task has a check"
}

// statusOf returns the exit code of results: a failure counts more than a check that was not run.
func statusOf(results []evidence.Result) error {
	code := cmdline.ExitDone
	for _, r := range results {
		switch {
		case r.Bad():
			return cmdline.StatusError(cmdline.ExitFailed)
		case r.State == evidence.NotAllowed:
			code = cmdline.ExitNothing
		}
	}
	if code == cmdline.ExitDone {
		return nil
	}
	return cmdline.StatusError(code)
}

// A verification is what came of checks on a commit.
type verification struct {
	at      evidence.Commit
	results []evidence.Result
}

func (v verification) print(env *term.Env, format cmdline.Format) {
	if format.Json(env) {
		env.WriteJSON(v.write)
		return
	}
	env.Print(fmt.Sprintf("on commit %.9s", v.at.ID))
	var t term.Table
	for _, r := range v.results {
		t.Add(term.Cell{Text: string(r.State), Style: styleOf(r.State)}, term.Cell{Text: r.Task, Style: term.Cyan}, term.Cell{Text: tookText(r)}, term.Cell{Text: r.Shown()})
	}
	t.Write(env)
	shown := map[string]bool{}
	for _, r := range v.results {
		if r.Bad() && !shown[r.Line] {
			shown[r.Line] = true
			env.Print("")
			term.WriteLines(env, r.Reason()+"\n")
		}
	}
}

func tookText(r evidence.Result) string {
	if !r.Ran() {
		return ""
	}
	return r.Took.Round(time.Millisecond).String()
}

func styleOf(s evidence.State) term.Style {
	switch s {
	case evidence.Passed:
		return term.Green
	case evidence.Failed, evidence.TimedOut, evidence.NotStarted:
		return term.Red
	}
	return term.Yellow
}

func (v verification) write(w term.Sink) {
	o := term.Object{Sink: w}
	o.Str("commit", v.at.ID)
	o.Str("tree", v.at.Tree)
	o.Member("results")
	term.WriteArray(w, len(v.results), func(i int) { writeResult(w, v.results[i]) })
	o.End()
}

func writeResult(w term.Sink, r evidence.Result) {
	o := term.Object{Sink: w}
	o.Str("id", r.Task)
	o.Str("check", r.Line)
	o.Str("state", string(r.State))
	o.StrIf("why", r.Why)
	if r.Ran() {
		o.Value("exit", fmt.Sprint(r.Exit))
		o.Value("ms", fmt.Sprint(r.Took.Milliseconds()))
		o.StrOrNull("output", r.Hash)
		o.StrOrNull("log", r.Log)
		o.Str("at", plan.FormatTime(r.At))
	}
	o.End()
}

const aboutVerify = `Runs the checks of tasks, the command lines that prove them (task add --check), and
says which passed: those of the done tasks, of the tasks named, or with --all of
every task in the plan.

They run on a commit: HEAD, the tip of the branch that ralph.target names, or --at.
It is checked out in a worktree of its own, which holds nothing else and is deleted
at the end; neither your uncommitted changes nor your ignored files take part. A
check is a program and its arguments; no shell reads it. It has no input, and 15
minutes: --limit, ralph.checks.timeLimit. Nothing that it started is left running.
Its output is kept in .git/ralph/evidence, of more than 1 MiB the beginning and
the end.

A check comes from the plan, and so perhaps from a stranger. One is run only where
git's configuration (ralph.checks.allow) or git ralph trust check allowed it in this
clone; else it is shown and not run. docs/teams.md says what counts.

With --replay it runs the receipts again that git ralph task accept --verified left
in the messages of commits: those of the tasks named, or all in the history of HEAD,
with --all on all branches. Each is run on its own commit. What is reported is

  same          the check ended as the receipt says
  different     it did not
  not runnable  the commit is not here, nobody allowed the check, or it cannot start
  altered       the receipt's text, its commit or its tree is not what it was

Where standard output is not a terminal it is JSON:

  {"commit", "tree", "results": [{"id", "check", "state", "exit", "ms", "output",
   "log", "at"}]}
  {"receipts": [{"id", "check", "commit", "tree", "exit", "ms", "output", "at", "by",
   "in", "verdict", "why", "again": {"exit", "ms", "output", "log"}}]}

"state" is passed, failed, timed out, not started or not allowed; "output" is the
SHA-256 of the output; "in" is the commit whose message has the receipt.

EXIT STATUS
  0  all checks passed; with --replay, all receipts are the same
  1  a check failed, a receipt is different or altered; or they cannot be run at all
  2  the command line is wrong
  3  there is no check or receipt; or one was not run because nobody allowed it
  5  the plan is not valid

EXAMPLES
  git ralph verify
  git ralph verify t-1a2b --at main~3
  git ralph verify --all --limit 90s
  git ralph verify --replay --since "2 weeks ago"
  git ralph verify --dry-run`
