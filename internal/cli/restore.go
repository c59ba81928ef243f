package cli

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

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
	var lives []*fold.Life
	for _, id := range o.ids {
		life, err := taskLifeOf(h, id)
		if err != nil {
			return err
		}
		if !slices.Contains(lives, life) { // named twice, or once in full and once shortened
			lives = append(lives, life)
		}
	}
	head, _ := st.At(ctx, "HEAD") // before the first commit it has nothing
	err = o.update(ctx, env, st, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		var all plan.Change
		for _, life := range lives {
			c, err := restored(p, head.Plan, life)
			if err != nil {
				return plan.Change{}, err
			}
			all.Events, all.Records = append(all.Events, c.Events...), append(all.Records, c.Records...)
		}
		return all, nil
	}})
	if err != nil {
		return err
	}
	for _, life := range lives {
		env.warnOfRestored(life)
	}
	return nil
}

// warnOfRestored warns where a task came back that was not lost, but taken out of the plan on purpose.
func (e *Env) warnOfRestored(life *fold.Life) {
	ended := life.Outcome
	if life.Status != fold.Cancelled || ended == nil {
		return
	}
	what := "cancelled on purpose"
	switch {
	case len(life.DecomposedInto) > 0:
		what = "decomposed into " + strings.Join(life.DecomposedInto, ", ")
	case ended.Inferred:
		what = "taken out of the plan"
	}
	e.warn(fmt.Sprintf("%s was %s by %s on %s (%s)", life.ID, what, ended.Author, ended.Date.Format("2006-01-02"), hex.EncodeToString(ended.Commit[:])[:shortID]))
}

// taskLifeOf finds the life of a task.
func taskLifeOf(h *fold.History, id string) (*fold.Life, error) {
	life, err := lifeOf(h, id)
	if err == nil && life.Kind != plan.KindTask {
		err = fmt.Errorf("%s is an issue, not a task", life.ID)
	}
	return life, err
}

// restored brings a task back that was cancelled or got lost. One that is pending in
// HEAD's plan and not in p was cancelled too: that is not committed yet. One that is
// pending on another branch was not.
func restored(p, head *plan.Plan, life *fold.Life) (plan.Change, error) {
	switch {
	case life.Status == fold.UnknownStatus:
		return plan.Change{}, fmt.Errorf("the status of %s is unknown: HEAD's plan cannot be read", life.ID)
	case life.Status == fold.Cancelled, life.Status == fold.Lost:
	case life.Status == fold.Pending && has(head, life.ID) && !has(p, life.ID):
	default:
		return plan.Change{}, fmt.Errorf("%s is %s, not cancelled or lost", life.ID, life.Status)
	}
	if life.Record.JSON() == "" {
		return plan.Change{}, fmt.Errorf("%s is known from messages alone: what it was is not at hand", life.ID)
	}
	return p.Restore(life.Record)
}

func has(p *plan.Plan, id string) bool {
	if p == nil {
		return false
	}
	_, found := p.Task(id)
	return found
}

const aboutRestore = `Brings tasks back that were cancelled, or that a merge dropped, wherever in the
history they were last seen. They are pending, and otherwise as they were.
` + mutationExits + `
EXAMPLES
  git ralph log --all --status cancelled
  git ralph restore t-1a2b`
