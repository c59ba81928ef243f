package plancmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// taskKillOptions say which task's work was stopped, and why.
type taskKillOptions struct {
	planio.Mutation
	id, why, log string
}

func newTaskKill(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "kill", Usage: "note that work on a task was stopped", ArgsUsage: "ID timeout|context",
		Description: `Notes that an agent which worked on a pending task was stopped: it took too long,
or its context was full. The task is then to be decomposed. No terminal is needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph task kill t-1a2b timeout --log 12/3.log`,
		Flags: planio.ClaimedFlags(
			cmdline.Completes(&cli.StringFlag{Name: "log", Usage: "where its log is in the journal: `RUN/ITERATION.log`"}, cmdline.Files),
		),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(planio.PendingIDs(), killReasons)),
		Action: func(c *cli.Context) error {
			args := c.Args()
			if c.NArg() != 2 || args.Get(1) != "timeout" && args.Get(1) != "context" {
				return cmdline.Usage(c, "expected a task's id, then timeout or context")
			}
			return taskKillOptions{planio.MutationFrom(c), args.Get(0), args.Get(1), c.String("log")}.run(c.Context, env)
		},
	}
}

func killReasons(context.Context, *term.Env, *cmdline.Line) []cmdline.Candidate {
	return []cmdline.Candidate{{Text: "timeout", About: "it ran too long"}, {Text: "context", About: "it outgrew the agent's context"}}
}

func (o taskKillOptions) run(ctx context.Context, env *term.Env) error {
	return o.Mutation.Run(ctx, env, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		id, err := p.ResolveID(plan.KindTask, o.id)
		if err != nil {
			return plan.Change{}, err
		}
		return p.Kill(id, o.why, o.log)
	})
}
