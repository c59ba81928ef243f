package plancmd

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// taskCancelOptions say which tasks to cancel.
type taskCancelOptions struct {
	planio.Mutation
	ids  []string
	mode plan.CancelMode
}

func newTaskCancel(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "cancel", Usage: "take pending tasks out of the plan", ArgsUsage: "ID…",
		Description: `Takes tasks out of the plan that are pending, or in a state that is neither pending
nor done. While others depend on them that is refused, unless those go too or lose
the dependency. No terminal is needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph task cancel t-1a2b
  git ralph task cancel t-1a2b --cascade`,
		Flags: planio.ClaimedFlags(
			&cli.BoolFlag{Name: "cascade", Usage: "cancel the pending tasks that depend on them too"},
			&cli.BoolFlag{Name: "detach", Usage: "drop the dependency of those that depend on them"},
		),
		BashComplete: cmdline.CompletesArgs(planio.RecordIDs(func(v planio.View) []*plan.Record { return slices.Concat(v.Pending(), v.Others()) })),
		Action:       cmdline.Action(env, taskCancelFrom, taskCancelOptions.run),
	}
}

func taskCancelFrom(c *cli.Context) (taskCancelOptions, error) {
	o := taskCancelOptions{Mutation: planio.MutationFrom(c), ids: c.Args().Slice()}
	cascade, detach := c.Bool("cascade"), c.Bool("detach")
	switch {
	case len(o.ids) == 0:
		return o, cmdline.Usage(c, "missing id: want the id of a task")
	case cascade && detach:
		return o, cmdline.Usage(c, "--cascade and --detach exclude each other")
	case cascade:
		o.mode = plan.CancelCascade
	case detach:
		o.mode = plan.CancelDetach
	}
	return o, nil
}

func (o taskCancelOptions) run(ctx context.Context, env *term.Env) error {
	return planio.SkipUnchanged(ctx, env, o.ids, []fold.Status{fold.Cancelled}, func(ids []string) error {
		return o.Mutation.Run(ctx, env, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
			ids, err := p.ResolveIDs(plan.KindTask, ids)
			if err != nil {
				return plan.Change{}, err
			}
			return p.Cancel(ids, o.mode)
		})
	})
}
