package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// taskAcceptOptions say which done tasks are good; without ids all are.
type taskAcceptOptions struct {
	mutation
	ids []string
}

func newTaskAccept(env *Env) *cli.Command {
	return &cli.Command{
		Name: "accept", Usage: "accept done tasks: they leave the plan", ArgsUsage: "[ID…]",
		Description: `Takes done tasks out of the plan: they were verified. Without an id, all of them.
The history keeps them. No terminal is needed.
` + mutationExits + `
EXAMPLES
  git ralph task accept
  git ralph task accept t-1a2b`,
		Flags: mutationFlags(),
		Action: func(c *cli.Context) error {
			return taskAcceptOptions{mutationFrom(c), c.Args().Slice()}.run(c.Context, env)
		},
	}
}

func (o taskAcceptOptions) run(ctx context.Context, env *Env) error {
	return o.mutation.run(ctx, env, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		ids, err := p.ResolveAll(plan.KindTask, o.ids)
		if err != nil {
			return plan.Change{}, err
		}
		if len(o.ids) == 0 {
			ids = idsOf(schedule.Of(p).Done())
		}
		if len(ids) == 0 {
			return plan.Change{}, &nothingError{text: "no task is done, so none can be accepted"}
		}
		return p.Accept(ids)
	})
}

func idsOf[R interface{ ID() string }](records []R) []string {
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID()
	}
	return ids
}
