package setupcmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/trustprompt"
	"git-ralph/internal/evidence"
	"git-ralph/internal/git/config"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/trust"
)

// trustCheckOptions are the command line of `git ralph trust check`.
type trustCheckOptions struct {
	ids    []string // of tasks; none: all
	revoke bool
	yes    bool
	dryRun bool
	format cmdline.Format
}

func newTrustCheck(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "check", Usage: "let the checks of tasks run in this clone", ArgsUsage: "ID… | --all", Description: aboutTrustCheck,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "the checks of all tasks in the plan"},
			&cli.BoolFlag{Name: "revoke", Usage: "do not let them run any more"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show which may run, and change nothing"},
		}, cmdline.FormatFlags()...),
		BashComplete: cmdline.CompletesArgs(planio.CheckedIDs()),
		Action: func(c *cli.Context) error {
			o := trustCheckOptions{c.Args().Slice(), c.Bool("revoke"), c.Bool("yes"), c.Bool("dry-run"), cmdline.FormatFrom(c)}
			if (len(o.ids) > 0) == c.Bool("all") {
				return cmdline.Usage(c, "want either the ids of tasks or --all")
			}
			return o.run(c.Context, env)
		},
	}
}

func (o trustCheckOptions) run(ctx context.Context, env *term.Env) error {
	if trustprompt.InRun(env) && !o.dryRun {
		return trustprompt.ErrInRun
	}
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if !o.yes && !o.dryRun && !o.revoke && !env.Interactive {
		return &cmdline.UsageError{Text: "there is no terminal to ask on: --yes does not ask, --dry-run shows the checks", Command: cmdline.Program + " trust check"}
	}
	v, err := planio.ViewWorktree(ctx, env, st)
	if err != nil {
		return err
	}
	checks, err := o.checks(v)
	if err != nil {
		return err
	}
	usable, words, invalid := split(checks)
	if len(usable) > 0 {
		if err := o.change(ctx, env, st, usable, words); err != nil {
			return errors.Join(err, invalid)
		}
	}
	runner, err := planio.CheckRunner(ctx, env, st)
	if err != nil {
		return err
	}
	o.print(env, runner.Judge(checks))
	return invalid
}

// change does with checks what the command line says.
func (o trustCheckOptions) change(ctx context.Context, env *term.Env, st *store.Store, checks []evidence.Check, words [][]string) error {
	own, err := st.Repo().ConfigFiles().Path(ctx, config.ScopeLocal)
	switch {
	case err != nil || o.dryRun:
		return err
	case o.revoke:
		return trust.RevokeChecks(own, words)
	case o.yes || confirm(env, checks):
		return trust.AcceptChecks(own, words)
	}
	return term.ErrAborted
}

// checks returns the checks of the tasks that the command line names.
func (o trustCheckOptions) checks(v planio.View) ([]evidence.Check, error) {
	tasks := v.Tasks()
	if len(o.ids) > 0 {
		ids, err := v.Plan.ResolveIDs(plan.KindTask, o.ids)
		if err != nil {
			return nil, err
		}
		tasks = nil
		for _, id := range ids {
			task, _ := v.Plan.Task(id)
			tasks = append(tasks, &task)
		}
	}
	checks := evidence.ChecksOf(tasks)
	if len(checks) == 0 {
		return nil, &cmdline.NothingError{Text: "there is no check"}
	}
	return checks, nil
}

// split returns the checks that could be run, with the words of each. The error names all others, which keep none of these back.
func split(checks []evidence.Check) (usable []evidence.Check, words [][]string, invalid error) {
	for _, c := range checks {
		line, err := evidence.Words(c.Line)
		if err != nil {
			invalid = errors.Join(invalid, fmt.Errorf("%s: %w", c.Task, err))
			continue
		}
		usable, words = append(usable, c), append(words, line)
	}
	return usable, words, invalid
}

// confirm shows commands and asks whether they may run. Exactly these are accepted, even if the plan changes before the user
// answers.
func confirm(env *term.Env, checks []evidence.Check) bool {
	env.Flush()
	shown := env.OnErr()
	shown.Print("These commands come from the plan. They would run with your rights:")
	for _, c := range checks {
		shown.Print(fmt.Sprintf("  %s  %s", c.Task, c.Shown()))
	}
	return env.Confirm("Let them run in this clone?")
}

func (o trustCheckOptions) print(env *term.Env, results []evidence.Result) {
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) {
			out := term.Object{Sink: w}
			out.Member("checks")
			term.WriteArray(w, len(results), func(i int) {
				c := term.Object{Sink: w}
				c.Str("id", results[i].Task)
				c.Str("check", results[i].Line)
				c.Boolean("allowed", results[i].State == evidence.Allowed)
				c.End()
			})
			out.End()
		})
		return
	}
	var t term.Table
	for _, r := range results {
		t.Add(term.Cell{Text: string(r.State)}, term.Cell{Text: r.Task, Style: term.Cyan}, term.Cell{Text: r.Shown()})
	}
	t.Write(env)
}

const aboutTrustCheck = `A task's check is a command that comes from the plan, and so perhaps from a stranger.
git ralph verify, task accept --verified and build run one only where a person allowed
it in this clone: here, or for all commands that begin with certain words:

  git config --add ralph.checks.allow "go test"

This shows the checks of the tasks and asks. What it allows is exactly these words, in
any task; another command in the same task is not allowed. It is kept in the clone's
own configuration (.git/config), which git clone does not copy. An agent cannot do
this. Trust in the repository (git ralph trust) does not include checks.

EXIT STATUS
  0  the checks may run; or the flag was carried out
  1  failed; or the answer was no; or a check is not valid, which keeps no other back
  2  the command line is wrong, or there is no terminal to ask on
  3  there is no check
  5  the plan is not valid

EXAMPLES
  git ralph trust check t-1a2b
  git ralph trust check --all --dry-run
  git ralph trust check --all --yes
  git ralph trust check t-1a2b --revoke`
