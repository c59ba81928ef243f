package plancmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// taskDecomposeOptions say which smaller tasks replace one that was too large.
type taskDecomposeOptions struct {
	planio.Mutation
	id    string
	args  []string // the tasks as JSON, or "-"
	names []string // the tasks by name
}

func newTaskDecompose(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "decompose", Usage: "replace a task by smaller ones", ArgsUsage: "ID [JSON… | -]",
		Description: `Puts several smaller tasks in the place of a pending one, in one commit. They name
it in "parent" and take over its spec, priority, role and dependencies; what
waited for it waits for all of them. Give them with --task, or as JSON as
` + "`git ralph task add`" + ` takes it. No terminal is needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph task decompose t-1a2b --task "Read the header" --task "Read the body"
  git ralph task decompose t-1a2b - < parts.jsonl`,
		Flags: planio.ClaimedFlags(
			&cli.StringSliceFlag{Name: "task", Usage: "the `NAME` of a smaller task; may be repeated"},
		),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(planio.PendingIDs())),
		Action: func(c *cli.Context) error {
			o := taskDecomposeOptions{Mutation: planio.MutationFrom(c), id: c.Args().First(), args: c.Args().Tail(), names: c.StringSlice("task")}
			switch {
			case o.id == "":
				return cmdline.Usage(c, "missing id: want the id of a task")
			case len(o.args) == 0 && len(o.names) == 0:
				return cmdline.Usage(c, "missing tasks: want the smaller ones with --task, or as JSON")
			}
			return o.run(c.Context, env)
		},
	}
}

func (o taskDecomposeOptions) run(ctx context.Context, env *term.Env) error {
	parts, err := o.parts(env)
	if err != nil {
		return err
	}
	return o.Mutation.Run(ctx, env, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		id, err := p.ResolveID(plan.KindTask, o.id)
		if err != nil {
			return plan.Change{}, err
		}
		return p.Decompose(id, parts, in.Stamp)
	})
}

func (o taskDecomposeOptions) parts(env *term.Env) ([]jsonl.Object, error) {
	g, err := readRecordInput(env, plan.KindTask, o.args)
	if err != nil {
		return nil, err
	}
	if g.words != "" {
		return nil, &cmdline.UsageError{Text: "expected tasks as JSON; --task takes names", Command: "git ralph task decompose"}
	}
	for _, name := range o.names {
		var m members
		m.set("name", name)
		g.objects = append(g.objects, m.object())
	}
	if len(g.objects) == 0 {
		return nil, &cmdline.NothingError{Text: "no task was given"}
	}
	return g.objects, nil
}
