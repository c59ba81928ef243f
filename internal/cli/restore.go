package cli

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

func newRestore(env *Env) *cli.Command {
	return &cli.Command{
		Name: "restore", Usage: "bring a task back from history", ArgsUsage: "ID…", Description: aboutRestore,
		Flags: append(mutationFlags(), fetchFlag()),
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usage(c, "which task? give its id")
			}
			return restoreOptions{mutationFrom(c), c.Args().Slice(), c.Bool("fetch")}.run(c.Context, env)
		},
	}
}

// restoreOptions say which tasks come back.
type restoreOptions struct {
	mutation
	ids   []string
	fetch bool // what a partial clone has not
}

func (o restoreOptions) run(ctx context.Context, env *Env) error {
	st, h, err := env.history(ctx, o.fetch)
	if err != nil {
		return err
	}
	var tasks []plan.Record
	for _, id := range o.ids {
		life, err := restorable(h, id)
		if err != nil {
			return err
		}
		tasks = append(tasks, life.Record)
	}
	return o.update(ctx, env, st, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		var all plan.Change
		for _, task := range tasks {
			c, err := p.Restore(task)
			if err != nil {
				return plan.Change{}, err
			}
			all.Events, all.Records = append(all.Events, c.Events...), append(all.Records, c.Records...)
		}
		return all, nil
	}})
}

// restorable finds a task that was cancelled or got lost.
func restorable(h *fold.History, id string) (*fold.Life, error) {
	life, err := lifeOf(h, id)
	switch {
	case err != nil:
		return nil, err
	case life.Kind != plan.KindTask:
		return nil, fmt.Errorf("%s is an issue, not a task", life.ID)
	case life.Status != fold.Cancelled && life.Status != fold.Lost:
		return nil, fmt.Errorf("%s is %s, not cancelled or lost", life.ID, life.Status)
	case life.Record.JSON() == "":
		return nil, fmt.Errorf("%s is known from messages alone: what it was is not at hand", life.ID)
	}
	return life, nil
}

const aboutRestore = `Brings tasks back that were cancelled, or that a merge dropped, wherever in the
history they were last seen. They are pending, and otherwise as they were.
` + mutationExits + `
EXAMPLES
  git ralph log --all --status cancelled
  git ralph restore t-1a2b`
