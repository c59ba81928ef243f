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

// setSpecOptions are the command line of `git ralph set-spec`.
type setSpecOptions struct {
	planio.Mutation
	spec string
}

func NewSetSpec(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "set-spec", Usage: "set the spec to work on", ArgsUsage: "FILE",
		Description: `Makes a spec the current one. Tasks and issues of other specs stay. FILE is kept
as it is given, or relative to the root where it is a path from elsewhere; it is
looked for in the directory that ralph.specs names, ralph/specs
where it names none, then in the repository's root. No terminal is needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph set-spec coverage.md`,
		Flags:        planio.MutationFlags(),
		BashComplete: cmdline.CompletesArgs(planio.Specs),
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return cmdline.Usage(c, "missing spec: want its file")
			}
			return setSpecOptions{planio.MutationFrom(c), c.Args().First()}.run(c.Context, env)
		},
	}
}

func (o setSpecOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if o.spec, err = st.SpecFromInput(o.spec); err != nil {
		return err
	}
	o.SetsSpec = true
	err = o.Update(ctx, env, st, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		return p.SetSpec(o.spec)
	}})
	if err == nil {
		planio.WarnOfSpec(env, st, o.spec)
	}
	return err
}
