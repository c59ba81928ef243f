package plancmd

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/evidence"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// taskAcceptOptions say which done tasks to accept; without ids all.
type taskAcceptOptions struct {
	planio.Mutation
	ids      []string
	verified bool // only what its checks prove
}

func newTaskAccept(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "accept", Usage: "accept done tasks: they leave the plan", ArgsUsage: "[ID…]",
		Description: aboutTaskAccept,
		Flags: planio.ClaimedFlags(
			&cli.BoolFlag{Name: "verified", Usage: "run the checks of the tasks, and accept only what they prove"},
		),
		BashComplete: cmdline.CompletesArgs(doneIDs()),
		Action: func(c *cli.Context) error {
			return taskAcceptOptions{planio.MutationFrom(c), c.Args().Slice(), c.Bool("verified")}.run(c.Context, env)
		},
	}
}

func (o taskAcceptOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return err
	}
	only, err := evidence.AcceptsVerifiedOnly(settings)
	if err != nil {
		return err
	}
	must, err := planio.RequireLandedFrom(settings, st)
	if err != nil {
		return err
	}
	return planio.SkipUnchanged(ctx, env, o.ids, []fold.Status{fold.Accepted}, func(ids []string) error {
		if o.verified || only {
			return acceptance{o.Mutation, st, ids, must}.verified(ctx, env)
		}
		do, err := planio.Following(ctx, env, st, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
			tasks, err := toAccept(p, ids)
			if err == nil {
				err = must.Check(ctx, env, tasks)
			}
			if err != nil {
				return plan.Change{}, err
			}
			return accept(p, ids)
		})
		if err != nil {
			return err
		}
		return o.Mutation.Update(ctx, env, st, store.Request{Do: do})
	})
}

// toAccept returns the done tasks with the given ids; without any, all that are done.
func toAccept(p *plan.Plan, ids []string) ([]*plan.Record, error) {
	ids, err := p.ResolveIDs(plan.KindTask, ids)
	if err != nil || len(ids) == 0 {
		return schedule.Of(p).ToVerify(), err
	}
	return slices.DeleteFunc(schedule.Of(p).Done(), func(r *plan.Record) bool { return !slices.Contains(ids, r.ID()) }), nil
}

// accept accepts the tasks with the given ids; without any, all that are done.
func accept(p *plan.Plan, ids []string) (plan.Change, error) {
	ids, err := p.ResolveIDs(plan.KindTask, ids)
	if err != nil {
		return plan.Change{}, err
	}
	if len(ids) == 0 {
		ids = idsOf(schedule.Of(p).ToVerify())
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

const aboutTaskAccept = `Takes done tasks out of the plan: they were verified. Without an id, all of them, but
for documents of items, which their review accepts, or landing.
The history keeps them. No terminal is needed.

With --verified, or always where git's configuration has ralph.accept = verified, the
tasks' checks are run first, as git ralph verify runs them. Accepted is what all of
its checks prove, and what has no check and is named. The commit's message has a
receipt of each check: what was run, on which commit, and how it ended. What is not
accepted is named, and the exit code is 1 where a check failed, 3 where one was not
allowed. docs/teams.md says which checks are run.

With ralph.requireLanded = true, tasks that the target branch does not have are
refused; with auto, those of other branches.
` + planio.MutationExits + `
EXAMPLES
  git ralph task accept
  git ralph task accept t-1a2b
  git ralph task accept --verified`
