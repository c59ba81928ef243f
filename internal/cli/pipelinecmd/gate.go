package pipelinecmd

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// gateOptions are what a person decided about the plans of items.
type gateOptions struct {
	planio.Mutation
	items  []string
	reason string // of a plan that is sent back
}

func newApprove(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "approve", Usage: "approve the plans of items: work on them may begin", ArgsUsage: "ITEM…",
		Description: `Finishes the reviews of items that await approval, by any item of their groups. They
do where a person decides about plans: with ralph.reviewMode = interactive, or
ralph.autoApprove = false, which the environment variables RALPH_REVIEW_MODE and
RALPH_AUTO_APPROVE go before. The validator has reviewed such a plan already.
` + planio.MutationExits + `
EXAMPLES
  git ralph pipeline approve GH-42`,
		Flags:        planio.ClaimedFlags(),
		BashComplete: cmdline.CompletesArgs(planio.ItemIDs()),
		Action: cmdline.Action(env, func(c *cli.Context) (gateOptions, error) {
			return gateOptions{Mutation: planio.MutationFrom(c), items: c.Args().Slice()}, requireItems(c)
		}, gateOptions.approve),
	}
}

func newReject(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "reject", Usage: "send the plan of an item back", ArgsUsage: "ITEM REASON",
		Description: `Rejects the plan of an item, or of its group, with a reason: it is to be written
again, and reviewed again. That is not counted, as the validator's own rejections
are, of which more than three leave the item to a person.
` + planio.MutationExits + `
EXAMPLES
  git ralph pipeline reject GH-42 "it leaves out the receipts"`,
		Flags:        planio.ClaimedFlags(),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(planio.ItemIDs())),
		Action:       cmdline.Action(env, rejectFrom, gateOptions.reject),
	}
}

func rejectFrom(c *cli.Context) (gateOptions, error) {
	o := gateOptions{Mutation: planio.MutationFrom(c), items: []string{c.Args().First()}, reason: strings.TrimSpace(strings.Join(c.Args().Tail(), " "))}
	if err := requireItems(c); err != nil {
		return o, err
	}
	if o.reason == "" {
		return o, cmdline.Usage(c, "missing reason: want what is wrong with the plan")
	}
	return o, nil
}

func (o gateOptions) approve(ctx context.Context, env *term.Env) error {
	return o.decide(ctx, env, pipeline.Approve)
}

func (o gateOptions) reject(ctx context.Context, env *term.Env) error {
	return o.decide(ctx, env, func(p *plan.Plan, ids []string, f pipeline.Finishing, stamp plan.Stamp) (plan.Change, error) {
		f.Reason = o.reason
		return pipeline.Disapprove(p, ids[0], f, stamp)
	})
}

func (o gateOptions) decide(ctx context.Context, env *term.Env, decide func(*plan.Plan, []string, pipeline.Finishing, plan.Stamp) (plan.Change, error)) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	claimed := planio.ClaimedTasks(ctx, env, st)
	return o.Update(ctx, env, st, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		ids, err := p.ResolveIDs(plan.KindItem, o.items)
		if err != nil {
			return plan.Change{}, err
		}
		return decide(p, ids, pipeline.Finishing{DoneOptions: plan.DoneOptions{Head: in.Head}, Claimed: claimed}, in.Stamp)
	}})
}
