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

// FmtOptions are the command line of `git ralph fmt`.
type FmtOptions struct {
	planio.Mutation
	check bool
}

func NewFmt(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:  "fmt",
		Usage: "bring the plan file into its canonical form",
		Description: `Orders the lines of the plan by id, so that two people's changes rarely meet in a
merge, after writing down the age of tasks and issues that lack it; takes out empty
lines and carriage returns. Records keep their bytes otherwise, and the order of
work stays as it is.

With --check nothing is changed: the plan's path is printed where fmt would change
it. With --json that is {"file", "canonical"}.

EXIT STATUS
  0  done, or there was nothing to change
  1  it cannot be done; with --check, fmt would change the plan
  2  the command line is wrong
  4  another process is changing the plan
  5  the plan is not valid; nothing was changed

EXAMPLES
  git ralph fmt
  git ralph fmt --check`,
		Flags: planio.MutationFlags(&cli.BoolFlag{Name: "check", Usage: "only report whether the plan would change"}),
		Action: func(c *cli.Context) error {
			return FmtOptions{planio.MutationFrom(c), c.Bool("check")}.Run(c.Context, env)
		},
	}
}

func (o FmtOptions) Run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if o.check {
		return o.runCheck(ctx, env, st)
	}
	return o.Update(ctx, env, st, store.Request{
		Subject: "format the plan",
		Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			return p.Format(in.Stamp), nil
		},
	})
}

func (o FmtOptions) runCheck(ctx context.Context, env *term.Env, st *store.Store) error {
	snap, err := planio.ViewPlan(ctx, env, st)
	if err != nil {
		return err
	}
	p, err := snap.Valid()
	if err != nil {
		return err
	}
	canonical := p.Format(plan.Stamp{Now: env.Now(), Random: env.Random}).Empty()
	switch {
	case o.Format == cmdline.FormatJSON:
		env.WriteJSON(func(w term.Sink) {
			out := term.Object{Sink: w}
			out.Str("file", snap.File)
			out.Boolean("canonical", canonical)
			out.End()
		})
	case !canonical:
		env.Print(snap.File)
	}
	if !canonical {
		return cmdline.StatusError(cmdline.ExitFailed)
	}
	return nil
}
