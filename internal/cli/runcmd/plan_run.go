package runcmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// planOptions are the command line of `git ralph plan`.
type planOptions struct {
	agentOptions
	spec   string
	cancel bool
	abort  bool
	strict bool
	dryRun bool
}

func NewPlan(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "let an agent plan the work of a spec", ArgsUsage: "FILE", Description: aboutPlan,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "cancel", Usage: "cancel unfinished tasks of other specs without asking"},
			&cli.BoolFlag{Name: "abort", Usage: "change nothing if other specs have unfinished tasks"},
			&cli.BoolFlag{Name: "strict", Usage: "refuse tasks whose acceptance criteria cannot be checked"},
			&cli.BoolFlag{Name: "dry-run", Usage: "print the prompt and the command, and start nothing"},
		}, agentFlags()...),
		BashComplete: cmdline.CompletesArgs(planio.Specs),
		Action: func(c *cli.Context) error {
			o := planOptions{
				agentOptionsFrom(c), c.Args().First(), c.Bool("cancel"), c.Bool("abort"), c.Bool("strict"), c.Bool("dry-run"),
			}
			if strings.TrimSpace(o.spec) == "" {
				return cmdline.Usage(c, "missing spec: want its file")
			}
			if o.cancel && o.abort {
				return cmdline.Usage(c, "--cancel and --abort exclude each other")
			}
			return o.run(c.Context, env)
		},
	}
}

func (o planOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	runner, err := o.runner(ctx, env, st)
	if err != nil {
		return err
	}
	if err := o.resolveSpec(ctx, st); err != nil {
		return err
	}
	if err := st.CheckSpec(o.spec); err != nil {
		return err
	}
	goals := loop.Goals{Plan: true, Strict: o.strict, Iterations: defaultIterations}
	if o.dryRun {
		goals.Spec = o.spec
		return runner.preview(ctx, env, goals)
	}
	if err := runner.recoverPrevious(ctx, env); err != nil { // before any question or change
		return err
	}
	if _, _, err := runner.unstarted(env, goals).Ready(ctx); err != nil { // before tasks are cancelled for it
		return err
	}
	if err := runner.trust(ctx, env); err != nil {
		return err
	}
	gone, err := o.confirm(ctx, env, st)
	if err != nil {
		return err
	}
	_, err = planio.Transact(ctx, env, st, store.Request{StartEmpty: true, Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		change, err := p.StartSpec(o.spec)
		for _, task := range gone {
			change.Events = append(change.Events, plan.Event{Name: plan.EventCancelled, ID: task.ID(), Title: task.Name()})
		}
		return change, err
	}})
	if err != nil {
		return err
	}
	return runner.work(ctx, env, goals, "plan")
}

// resolveSpec replaces the path that was given by the name of the spec: the one in the plan, if it has one for that file.
func (o *planOptions) resolveSpec(ctx context.Context, st *store.Store) error {
	snap, err := st.View(ctx)
	if err != nil {
		return err
	}
	var known []string
	if spec := snap.Plan.Spec(); spec != "" {
		known = append(known, spec)
	}
	for _, task := range snap.Plan.Of(plan.KindTask) {
		if spec := task.Spec(); spec != "" && !slices.Contains(known, spec) {
			known = append(known, spec)
		}
	}
	o.spec, err = st.SpecName(o.spec, known...)
	return err
}

// confirm asks whether to cancel the unfinished tasks of other specs. For the current spec it does not ask: tasks are added. Where
// the plan file is missing, planning starts with an empty plan, and confirm returns the tasks of HEAD's that are dropped.
func (o planOptions) confirm(ctx context.Context, env *term.Env, st *store.Store) (gone []plan.Record, err error) {
	snap, err := st.View(ctx)
	if err != nil {
		return nil, err
	}
	if snap.Missing {
		gone = snap.Plan.Of(plan.KindTask)
		env.Warn(fmt.Sprintf("%s is missing from the worktree: planning starts afresh, without the %s of HEAD's plan", st.PlanPath(), term.Plural(len(gone), "task")))
		return gone, nil
	}
	return nil, o.confirmCancelling(env, snap)
}

func (o planOptions) confirmCancelling(env *term.Env, snap store.Snapshot) error {
	p, err := snap.Valid()
	if err != nil {
		return err
	}
	ids := p.TasksOfOtherSpecs(o.spec)
	if len(ids) == 0 || p.Spec() == o.spec || o.cancel {
		return nil
	}
	if o.abort {
		return term.ErrAborted
	}
	if !env.Interactive {
		return &cmdline.HintedError{
			Err:  fmt.Errorf("%s of the spec %s are unfinished", term.Plural(len(ids), "task"), specOrNone(p)),
			Hint: "--cancel cancels them and starts fresh; --abort keeps the plan",
		}
	}
	return askToCancel(env, p, ids)
}

// specOrNone returns the name of the current spec, to be shown.
func specOrNone(p *plan.Plan) string {
	if p.Spec() == "" {
		return "(none)"
	}
	return p.Spec()
}

const cancelQuestion = `
What would you like to do?
  [c] Cancel existing tasks and start fresh
  [a] Abort (keep current plan)
`

// askToCancel asks until it gets an answer. No error means to cancel the tasks.
func askToCancel(e *term.Env, p *plan.Plan, ids []string) error {
	onErr := e.OnErr()
	onErr.Print(fmt.Sprintf("Found unfinished tasks from spec '%s':", specOrNone(p)))
	for _, id := range ids {
		task, _ := p.Task(id)
		onErr.Print(fmt.Sprintf("  - [%s] %s: %s", task.State(), id, task.Name()))
	}
	for {
		answer, err := e.Ask(cancelQuestion)
		if err != nil {
			return term.ErrAborted
		}
		switch strings.ToLower(answer) {
		case "c":
			return nil
		case "a":
			return term.ErrAborted
		}
	}
}

const aboutPlan = `Makes a spec the current one, and has an agent plan its tasks, which are added in
one commit. FILE is looked for in the directory that ralph.specs names (ralph/specs
by default), then in the repository's root, then in the current directory; a FILE
that begins with ./ or ../ in the current directory only. It must be in the
repository.

If another spec has unfinished tasks, plan asks whether to cancel them or to change
nothing. Without a terminal --cancel or --abort must be given. If the spec is the
current one already, new tasks are added to the existing ones. Tombstones of former
rejections are cleared.

plan warns of tasks whose acceptance criteria cannot be checked. With --strict it
refuses them, and the next agent is to name better ones.
` + runExits + `
EXAMPLES
  git ralph plan coverage.md
  git ralph plan coverage.md --cancel --agent codex`
