package plancmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// taskAcceptOptions say which done tasks to accept; without ids all.
type taskAcceptOptions struct {
	planio.Mutation
	ids []string
}

func newTaskAccept(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "accept", Usage: "accept done tasks: they leave the plan", ArgsUsage: "[ID…]",
		Description: `Takes done tasks out of the plan: they were verified. Without an id, all of them.
The history keeps them. No terminal is needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph task accept
  git ralph task accept t-1a2b`,
		Flags:        planio.ClaimedFlags(),
		BashComplete: cmdline.CompletesArgs(doneIDs()),
		Action: func(c *cli.Context) error {
			return taskAcceptOptions{planio.MutationFrom(c), c.Args().Slice()}.run(c.Context, env)
		},
	}
}

func (o taskAcceptOptions) run(ctx context.Context, env *term.Env) error {
	return planio.SkipUnchanged(ctx, env, o.ids, []fold.Status{fold.Accepted}, func(ids []string) error {
		return o.Mutation.Run(ctx, env, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
			return accept(p, ids)
		})
	})
}

// accept accepts the tasks with the given ids; without any, all that are done.
func accept(p *plan.Plan, ids []string) (plan.Change, error) {
	ids, err := p.ResolveIDs(plan.KindTask, ids)
	if err != nil {
		return plan.Change{}, err
	}
	if len(ids) == 0 {
		ids = idsOf(schedule.Of(p).Done())
	}
	if len(ids) == 0 {
		return plan.Change{}, &cmdline.NothingError{Text: "no task is done, so none can be accepted"}
	}
	return p.Accept(ids)
}

func idsOf[R interface{ ID() string }](records []R) []string {
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID()
	}
	return ids
}
