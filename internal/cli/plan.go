package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// planOptions name the spec to plan, and answer the question that may come up.
type planOptions struct {
	agentOptions
	spec   string
	cancel bool
	abort  bool
	strict bool
	dryRun bool
}

func newPlan(env *Env) *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "let an agent plan the work of a spec", ArgsUsage: "FILE", Description: aboutPlan,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "cancel", Usage: "cancel unfinished tasks of other specs, without asking"},
			&cli.BoolFlag{Name: "abort", Usage: "change nothing where there are unfinished tasks of other specs"},
			&cli.BoolFlag{Name: "strict", Usage: "take no task whose acceptance criteria cannot be checked"},
			&cli.BoolFlag{Name: "dry-run", Usage: "print the prompt and the command, and start nothing"},
		}, agentFlags()...),
		Action: func(c *cli.Context) error {
			o := planOptions{
				agentOptionsFrom(c), c.Args().First(), c.Bool("cancel"), c.Bool("abort"), c.Bool("strict"), c.Bool("dry-run"),
			}
			if strings.TrimSpace(o.spec) == "" {
				return usage(c, "which spec? give its file")
			}
			if o.cancel && o.abort {
				return usage(c, "--cancel and --abort exclude each other")
			}
			if err := atMost(c, 1); err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

func (o planOptions) run(ctx context.Context, env *Env) error {
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	crew, err := o.crew(ctx, env, st)
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
		return crew.preview(ctx, env, goals)
	}
	if err := crew.takeUp(ctx, env); err != nil { // before anything is asked or changed
		return err
	}
	if _, _, err := crew.onlooker(env, goals).Ready(ctx); err != nil { // before tasks are cancelled for it
		return err
	}
	if err := crew.trust(ctx, env); err != nil {
		return err
	}
	gone, err := o.confirm(ctx, env, st)
	if err != nil {
		return err
	}
	_, err = env.transact(ctx, st, store.Request{Afresh: true, Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		change, err := p.Start(o.spec)
		for _, task := range gone {
			change.Events = append(change.Events, plan.Event{Name: plan.EventCancelled, ID: task.ID(), Title: task.Name()})
		}
		return change, err
	}})
	if err != nil {
		return err
	}
	return crew.work(ctx, env, goals, "plan")
}

// resolveSpec makes the name of a spec of the path that was given: the one that the plan has for it, if any.
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

// confirm asks what is to become of unfinished tasks of other specs. The current spec is added to without a question. Where
// the file is missing all starts afresh, and it returns the tasks that go with it.
func (o planOptions) confirm(ctx context.Context, env *Env, st *store.Store) (gone []plan.Record, err error) {
	snap, err := st.View(ctx)
	if err != nil {
		return nil, err
	}
	if snap.Missing {
		gone = snap.Plan.Of(plan.KindTask)
		env.warn(fmt.Sprintf("%s is missing from the worktree: planning starts afresh, without the %s of HEAD's plan", st.PlanPath(), plural(len(gone), "task")))
		return gone, nil
	}
	return nil, o.confirmCancelling(env, snap)
}

func (o planOptions) confirmCancelling(env *Env, snap store.Snapshot) error {
	p, err := snap.Valid()
	if err != nil {
		return err
	}
	ids := p.Unfinished(o.spec)
	if len(ids) == 0 || p.Spec() == o.spec || o.cancel {
		return nil
	}
	if o.abort {
		return errAborted
	}
	if !env.Asks {
		return &hintedError{
			fmt.Errorf("%s of the spec %s are unfinished", plural(len(ids), "task"), former(p)),
			"--cancel cancels them and starts fresh; --abort keeps the plan",
		}
	}
	return env.askWhatBecomes(p, ids)
}

// former names the spec whose tasks are unfinished.
func former(p *plan.Plan) string {
	if p.Spec() == "" {
		return "(none)"
	}
	return p.Spec()
}

const whatBecomes = `
What would you like to do?
  [c] Cancel existing tasks and start fresh
  [a] Abort (keep current plan)
`

// askWhatBecomes asks until it gets an answer. No error means to cancel the tasks.
func (e *Env) askWhatBecomes(p *plan.Plan, ids []string) error {
	fmt.Fprintf(e.Err, "Found unfinished tasks from spec '%s':\n", printable(former(p)))
	for _, id := range ids {
		task, _ := p.Task(id)
		fmt.Fprintf(e.Err, "  - [%s] %s: %s\n", task.State(), printable(id), printable(task.Name()))
	}
	for {
		answer, err := e.ask(whatBecomes)
		if err != nil {
			return errAborted
		}
		switch strings.ToLower(answer) {
		case "c":
			return nil
		case "a":
			return errAborted
		}
	}
}

const aboutPlan = `Makes a spec the current one and lets an agent find out what is to be done for
it. The tasks that it names are added in one commit. FILE is looked for in the
folder that ralph.specs names, ralph/specs where it names none, then in the
repository's root, then in your folder; there at once where it begins with ./ or
../. It must lie in the repository; the plan names it from there.

Unfinished tasks of other specs are asked about first: they are cancelled, or
nothing changes. Without a terminal --cancel or --abort must be given. For the
spec that is the current one already, tasks are added to those that there are.
Tombstones of former rejections are cleared.

Tasks whose acceptance criteria nobody could check are pointed out; with --strict
they are not taken, and the agent is asked again.
` + runExits + `
EXAMPLES
  git ralph plan coverage.md
  git ralph plan coverage.md --cancel --agent codex`
