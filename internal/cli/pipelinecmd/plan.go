package pipelinecmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// planOptions say which items to make tasks for.
type planOptions struct {
	planio.Mutation
	items []string
}

func newPlan(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "add all tasks that items still need", ArgsUsage: "ITEM…",
		Description: `Adds the tasks that take items from the state that they are in to the end, all in one
commit: triage, research, plan, review, implement, pull request, merge. Each says
which role does it, and waits for those before it. A group is researched item by
item, and has one plan, which all of its research comes before; after that, each of
its streams has its own.

The ids of the tasks follow from the items, so two clones that do this add the same
tasks. Doing it again adds only what is missing. An item that is too large is split
first, and one in the backlog triaged: finishing that adds the rest.

Where pull requests merge code, and the target is known to be protected at GitHub, this
offers to make another one, or without a terminal ends with 2; see git ralph github
integrate.
` + planio.MutationExits + `
EXAMPLES
  git ralph pipeline plan GH-42
  git ralph pipeline plan GH-42 GH-43 GH-44 --dry-run`,
		Flags:        planio.MutationFlags(),
		BashComplete: cmdline.CompletesArgs(planio.ItemIDs()),
		Action: cmdline.Action(env, func(c *cli.Context) (planOptions, error) {
			return planOptions{planio.MutationFrom(c), c.Args().Slice()}, requireItems(c)
		}, planOptions.run),
	}
}

// requireItems refuses a command line without items.
func requireItems(c *cli.Context) error {
	if c.NArg() == 0 {
		return cmdline.Usage(c, "missing item: want its id or number, such as w-1a2b or GH-42")
	}
	return nil
}

func (o planOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if err := o.checkTarget(ctx, env, st); err != nil {
		return err
	}
	claimed := planio.ClaimedTasks(ctx, env, st)
	return o.Update(ctx, env, st, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		ids, err := p.ResolveIDs(plan.KindItem, o.items)
		if err != nil {
			return plan.Change{}, err
		}
		return pipeline.Extend(p, ids, claimed)
	}})
}

// checkTarget makes sure that the plan is not extended for a target that GitHub lets nobody push to. A branch that was made instead has to be
// checked out first: it carries the plan.
func (o planOptions) checkTarget(ctx context.Context, env *term.Env, st *store.Store) error {
	target, err := planio.TargetBranch(ctx, st, "")
	if err != nil || o.DryRun {
		return err
	}
	now, err := planio.WritableTarget(ctx, env, st, target)
	if err != nil || now == target {
		return err
	}
	name := strings.TrimPrefix(now, "refs/heads/")
	return &cmdline.HintedError{Err: fmt.Errorf("%s has the plan now, and is not checked out", name), Hint: "`git switch " + name + "`, then run the command again"}
}
