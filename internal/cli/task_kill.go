package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// taskKillOptions say why work on a task was stopped.
type taskKillOptions struct {
	mutation
	id, why, log string
}

func newTaskKill(env *Env) *cli.Command {
	return &cli.Command{
		Name: "kill", Usage: "note that work on a task was stopped", ArgsUsage: "ID timeout|context",
		Description: `Notes that an agent which worked on a pending task was stopped: it took too long,
or its context was full. The task is then to be decomposed. No terminal is needed.
` + mutationExits + `
EXAMPLES
  git ralph task kill t-1a2b timeout --log 12/3.log`,
		Flags: mutationFlags(
			&cli.StringFlag{Name: "log", Usage: "where its log is in the journal: `RUN/ITERATION.log`"},
		),
		Action: func(c *cli.Context) error {
			args := c.Args()
			if c.NArg() != 2 || args.Get(1) != "timeout" && args.Get(1) != "context" {
				return usage(c, "expected a task's id, then timeout or context")
			}
			return taskKillOptions{mutationFrom(c), args.Get(0), args.Get(1), c.String("log")}.run(c.Context, env)
		},
	}
}

func (o taskKillOptions) run(ctx context.Context, env *Env) error {
	return o.mutation.run(ctx, env, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		id, err := oneTask(p, o.id)
		if err != nil {
			return plan.Change{}, err
		}
		return p.Kill(id, o.why, o.log)
	})
}
