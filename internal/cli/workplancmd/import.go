package workplancmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/workplan"
	"git-ralph/internal/workplantask"
)

// A Claimer claims tasks of the plan.
type Claimer func(ctx context.Context, env *term.Env, ids []string) error

// importOptions are the command line of import.
type importOptions struct {
	planio.Mutation
	file, spec   string
	chain, claim bool
	claimer      Claimer
}

func newImport(env *term.Env, claimer Claimer) *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "make tasks of the plan from a workplan", ArgsUsage: "FILE", Description: aboutImport,
		Flags: planio.MutationFlags(
			&cli.BoolFlag{Name: "chain", Usage: "each task waits for the one before it in the file"},
			&cli.BoolFlag{Name: "claim", Usage: "claim the tasks that are in progress"},
			cmdline.Completes(&cli.StringFlag{Name: "spec", Usage: "the `SPEC` of the tasks, instead of the current one"}, planio.Specs),
		),
		BashComplete: FileArgument(),
		Action: cmdline.Action(env, func(c *cli.Context) (importOptions, error) {
			file, err := FileFrom(c)
			return importOptions{planio.MutationFrom(c), file, c.String("spec"), c.Bool("chain"), c.Bool("claim"), claimer}, err
		}, importOptions.run),
	}
}

func (o importOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	path, err := planio.WorkplanPath(st, o.file)
	if err != nil {
		return err
	}
	f, err := read(ctx, env, o.file)
	if err != nil {
		return err
	}
	var begun []string
	o.Finish = func(r *store.Result) { begun = begunTasks(r.Plan, path, f.File) }
	err = o.Update(ctx, env, st, store.Request{
		Subject: "import " + f.ID + " " + f.Title,
		Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			return o.add(p, path, f.File, in)
		},
	})
	if err != nil || !o.claim || o.DryRun || len(begun) == 0 {
		return err
	}
	return o.claimer(ctx, env, begun)
}

// add adds the tasks. Where no spec is set, the workplan is the spec.
func (o importOptions) add(p *plan.Plan, path string, f *workplan.File, in store.Inputs) (plan.Change, error) {
	inputs := workplantask.Import(p, path, f, o.chain)
	if len(inputs) == 0 {
		return plan.Change{}, fmt.Errorf("%w: the plan has every open task of %s", plan.ErrNothing, f.ID)
	}
	var all plan.Change
	switch {
	case o.spec != "":
		for i, it := range inputs {
			inputs[i] = jsonl.Build(append(it.Members(), jsonl.Member{Name: "spec", Value: jsonl.Quote(o.spec)}))
		}
	case p.Spec() == "":
		c, err := p.SetSpec(path)
		if err != nil {
			return c, err
		}
		all = c
	}
	c, err := p.AddTasks(inputs, in.Stamp)
	all.Join(c)
	return all, err
}

// begunTasks returns the ids of the tasks whose blocks are in progress.
func begunTasks(p *plan.Plan, path string, f *workplan.File) []string {
	var ids []string
	for _, r := range p.Of(plan.KindTask) {
		o, ok := workplantask.OriginOf(r)
		if block, found := f.Task(o.ID); ok && o.Path == path && found && block.Status == workplan.InProgress && r.Pending() {
			ids = append(ids, r.ID())
		}
	}
	return ids
}

const aboutImport = `Adds a task to the plan for each task block that is not done: with its name, its priority,
and the field workplan, "<path>#<id>". Blocks that the plan has already are left out. If
the plan has no spec, the workplan becomes the spec.

From then on both say the same: task done sets the block to done in the same commit,
task reject sets it back to todo, and what is changed in the file, name, priority or
status, enters the plan with the next command that changes it.
` + planio.MutationExits + `
EXAMPLES
  git ralph workplan import workplans/WP-0001-parser.md
  git ralph workplan import workplans/WP-0001-parser.md --chain --claim`
