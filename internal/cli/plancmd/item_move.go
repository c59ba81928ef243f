package plancmd

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

// commandVariable says which command of the pipeline runs, and so what an intent means.
const commandVariable = "RALPH_COMMAND"

// itemMoveOptions say where to move an item.
type itemMoveOptions struct {
	planio.Mutation
	item   string
	to     string // a state or an intent
	reason string
}

func newItemMove(env *term.Env) *cli.Command {
	where := cmdline.OneOf(append(plan.ItemStates(), pipeline.Intents()...)...)
	return &cli.Command{
		Name: "move", Usage: "move an item to another state", ArgsUsage: "ITEM STATE…",
		Description: `Moves an item to a state, where the pipeline allows that move:

  Backlog               to Research Needed, Ready for Plan, Done, Canceled
  Research Needed       to Research in Progress, Ready for Plan, Human Needed
  Research in Progress  to Ready for Plan, Human Needed
  Ready for Plan        to Plan in Progress, Human Needed
  Plan in Progress      to Plan in Review, Human Needed
  Plan in Review        to In Progress, Ready for Plan, Human Needed
  In Progress           to In Review, Human Needed
  In Review             to Done, In Progress, Human Needed
  Human Needed          to Backlog, Research Needed, Ready for Plan, In Progress

Done and Canceled are final. Instead of a state there may be an intent, and the
command that RALPH_COMMAND names, such as plan, decides which state it means:
__LOCK__, __COMPLETE__, __ESCALATE__, __CLOSE__ or __CANCEL__. The last three mean
the same for all. __ESCALATE__ needs a reason, which stays in the item. Any other move
is refused, also one to the state that the item has; an intent that means this state
has nothing to do.
` + planio.MutationExits + `
EXAMPLES
  git ralph item move GH-42 Research Needed
  RALPH_COMMAND=plan git ralph item move GH-42 __COMPLETE__
  git ralph item move w-7g8h __ESCALATE__ --reason "which of the two taxes?"`,
		Flags:        planio.MutationFlags(&cli.StringFlag{Name: "reason", Usage: "why: `TEXT`"}),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(planio.ItemIDs(), where)),
		Action:       cmdline.Action(env, itemMoveFrom, itemMoveOptions.run),
	}
}

func itemMoveFrom(c *cli.Context) (itemMoveOptions, error) {
	o := itemMoveOptions{
		Mutation: planio.MutationFrom(c), item: c.Args().First(), to: strings.Join(c.Args().Tail(), " "), reason: strings.TrimSpace(c.String("reason")),
	}
	if o.item == "" {
		return o, cmdline.Usage(c, "missing item: want its id or number")
	}
	if cmdline.IsBlank(o.to) {
		return o, cmdline.Usage(c, "missing state: want where to move the item")
	}
	return o, nil
}

func (o itemMoveOptions) run(ctx context.Context, env *term.Env) error {
	state, err := pipeline.ResolveIntent(o.to, env.Getenv(commandVariable), o.reason)
	if err != nil {
		return err
	}
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	claimed := planio.ClaimedTasks(ctx, env, st)
	return o.Mutation.Update(ctx, env, st, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		id, err := p.ResolveID(plan.KindItem, o.item)
		if err != nil {
			return plan.Change{}, err
		}
		item, _ := p.Item(id)
		// An intent may mean the state that the item has: implementing keeps In Progress. That is nothing to do, while naming
		// the state is a move that the pipeline does not have.
		if from := item.Text("state"); from != state || state == o.to {
			if err := pipeline.CheckMove(from, state); err != nil {
				return plan.Change{}, err
			}
		}
		return pipeline.Move(p, id, state, o.reason, in.Stamp.Now, claimed)
	}})
}
