package cli

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// setSpecOptions name the spec to work on.
type setSpecOptions struct {
	mutation
	spec string
}

func newSetSpec(env *Env) *cli.Command {
	return &cli.Command{
		Name: "set-spec", Usage: "set the spec to work on", ArgsUsage: "FILE",
		Description: `Makes a spec the current one. Tasks and issues of other specs stay. FILE is kept
as it is given, or relative to the root where it is a path from elsewhere; it is
looked for in the folder that ralph.specs names, ralph/specs
where it names none, then in the repository's root. No terminal is needed.
` + mutationExits + `
EXAMPLES
  git ralph set-spec coverage.md`,
		Flags: mutationFlags(),
		Action: func(c *cli.Context) error {
			if strings.TrimSpace(c.Args().First()) == "" {
				return usage(c, "which spec? give its file")
			}
			if err := atMost(c, 1); err != nil {
				return err
			}
			return setSpecOptions{mutationFrom(c), c.Args().First()}.run(c.Context, env)
		},
	}
}

func (o setSpecOptions) run(ctx context.Context, env *Env) error {
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	if o.spec, err = st.SpecGiven(o.spec); err != nil {
		return err
	}
	err = o.update(ctx, env, st, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		return p.SetSpec(o.spec)
	}})
	if err == nil {
		env.warnOfSpec(st, o.spec)
		if v, err := (source{}).view(ctx, env); err == nil {
			env.hintNotPlanned(ctx, v.state())
		}
	}
	return err
}

// warnOfSpec warns of a spec that no agent could be given. It may be written later.
func (e *Env) warnOfSpec(st *store.Store, spec string) {
	if spec == "" {
		return
	}
	if err := st.CheckSpec(spec); err != nil {
		e.warn(err.Error())
	}
}
