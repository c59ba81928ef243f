package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// taskDecomposeOptions give smaller tasks for one that was too large.
type taskDecomposeOptions struct {
	mutation
	id    string
	args  []string // the tasks as JSON, or "-"
	names []string // the tasks by name
}

func newTaskDecompose(env *Env) *cli.Command {
	return &cli.Command{
		Name: "decompose", Usage: "put smaller tasks in the place of one", ArgsUsage: "ID [JSON… | -]",
		Description: `Puts several smaller tasks in the place of a pending one, in one commit. They name
it in "parent" and take over its spec, priority, role and dependencies; what
waited for it waits for all of them. Give them with --task, or as JSON as
` + "`git ralph task add`" + ` takes it. No terminal is needed.
` + mutationExits + `
EXAMPLES
  git ralph task decompose t-1a2b --task "Read the header" --task "Read the body"
  git ralph task decompose t-1a2b - < parts.jsonl`,
		Flags: mutationFlags(
			&cli.StringSliceFlag{Name: "task", Usage: "the `NAME` of a smaller task; may be repeated"},
		),
		Action: func(c *cli.Context) error {
			o := taskDecomposeOptions{mutation: mutationFrom(c), id: c.Args().First(), args: c.Args().Tail(), names: c.StringSlice("task")}
			switch {
			case o.id == "":
				return usage(c, "which task? give its id")
			case len(o.args) == 0 && len(o.names) == 0:
				return usage(c, "into what? give the smaller tasks with --task, or as JSON")
			}
			return o.run(c.Context, env)
		},
	}
}

func (o taskDecomposeOptions) run(ctx context.Context, env *Env) error {
	parts, err := o.parts(env)
	if err != nil {
		return err
	}
	return o.mutation.run(ctx, env, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		id, err := oneTask(p, o.id)
		if err != nil {
			return plan.Change{}, err
		}
		return p.Decompose(id, parts, in.Stamp)
	})
}

func (o taskDecomposeOptions) parts(env *Env) ([]jsonl.Object, error) {
	g, err := env.readGiven(plan.KindTask, o.args)
	if err != nil {
		return nil, err
	}
	if g.words != "" {
		return nil, &usageError{text: "expected tasks as JSON; --task takes names", command: "git ralph task decompose"}
	}
	for _, name := range o.names {
		var m members
		m.set("name", name)
		g.objects = append(g.objects, m.object())
	}
	if len(g.objects) == 0 {
		return nil, &nothingError{text: "no task was given"}
	}
	return g.objects, nil
}
