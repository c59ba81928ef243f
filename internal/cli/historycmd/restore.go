package historycmd

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

func NewRestore(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "restore", Usage: "bring a task back from history", ArgsUsage: "ID…", Description: aboutRestore,
		Flags:        append(planio.MutationFlags(), fetchFlag()),
		BashComplete: cmdline.CompletesArgs(formerIDs(func(l *fold.Life) bool { return l.Kind == plan.KindTask && l.Status != fold.Accepted })),
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return cmdline.Usage(c, "missing id: want the id of a task")
			}
			return restoreOptions{planio.MutationFrom(c), c.Args().Slice(), c.Bool("fetch")}.run(c.Context, env)
		},
	}
}

// restoreOptions say which tasks to restore.
type restoreOptions struct {
	planio.Mutation
	ids   []string
	fetch bool // what a partial clone lacks
}

func (o restoreOptions) run(ctx context.Context, env *term.Env) error {
	st, h, err := planio.ReadHistory(ctx, env, o.fetch)
	if err != nil {
		return err
	}
	err = planio.SkipUnchanged(ctx, env, o.ids, []fold.Status{fold.Pending, fold.Done}, func(ids []string) error {
		return o.restore(ctx, env, st, h, ids)
	})
	if nothing, ok := errors.AsType[*cmdline.NothingError](err); ok {
		nothing.Hint = planio.PresentHint
	}
	return err
}

// restore brings the tasks with the given ids back.
func (o restoreOptions) restore(ctx context.Context, env *term.Env, st *store.Store, h *fold.History, ids []string) error {
	var lives []*fold.Life
	for _, id := range ids {
		life, err := taskLifeOf(h, id)
		if err != nil {
			return err
		}
		if !slices.Contains(lives, life) { // named twice, or once in full and once shortened
			lives = append(lives, life)
		}
	}
	head, _ := st.At(ctx, "HEAD") // without a plan before the first commit
	err := o.Update(ctx, env, st, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
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
		warnOfRestored(env, life)
	}
	return nil
}

// warnOfRestored warns of a restored task that was not lost, but taken out of the plan on purpose.
func warnOfRestored(e *term.Env, life *fold.Life) {
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
	case ended.Reason != "":
		what = "cancelled (" + ended.Reason + ")"
	}
	e.Warn(fmt.Sprintf("%s was %s by %s on %s (%s)", life.ID, what, ended.Author, ended.Date.Format("2006-01-02"), hex.EncodeToString(ended.Commit[:])[:planio.ShortID]))
}

// taskLifeOf finds the life of a task.
func taskLifeOf(h *fold.History, id string) (*fold.Life, error) {
	life, err := planio.LifeOf(h, id)
	if err == nil && life.Kind != plan.KindTask {
		err = fmt.Errorf("%s is an %s, not a task", life.ID, life.Kind)
	}
	return life, err
}

// restored restores a task that was cancelled or lost. One that is pending in
// HEAD's plan and not in p was cancelled too, and that is not committed yet. One that is
// pending on another branch was not cancelled.
func restored(p, head *plan.Plan, life *fold.Life) (plan.Change, error) {
	switch {
	case life.Status == fold.UnknownStatus:
		return plan.Change{}, fmt.Errorf("the status of %s is unknown: HEAD's plan cannot be read", life.ID)
	case life.Status == fold.Cancelled, life.Status == fold.Lost:
	case life.Status == fold.Pending && has(head, life.ID) && !has(p, life.ID):
	case has(p, life.ID):
		return plan.Change{}, &plan.StateError{ID: life.ID, Is: string(life.Status), Want: "cancelled or lost"}
	default:
		return plan.Change{}, fmt.Errorf("%s is %s, not cancelled or lost", life.ID, life.Status)
	}
	if life.Record.JSON() == "" {
		return plan.Change{}, fmt.Errorf("%s is known from messages alone: its record is missing", life.ID)
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
` + planio.MutationExits + `
EXAMPLES
  git ralph log --all --status cancelled
  git ralph restore t-1a2b`
