package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// formerPlan is the file that plans were kept in before.
const formerPlan = "IMPLEMENTATION_PLAN.md"

// initOptions say what a new plan begins with.
type initOptions struct {
	mutation
	spec string
}

func newInit(env *Env) *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "begin a plan in this repository",
		Description: `Makes the plan file, ralph/plan.jsonl unless ralph.plan names another place, and
commits it. A plan that is there stays as it is, so it is safe to run twice. No
terminal is needed.
` + mutationExits + `
EXAMPLES
  git ralph init
  git ralph init --spec coverage.md`,
		Flags: mutationFlags(&cli.StringFlag{Name: "spec", Usage: "the spec `FILE` to work on"}),
		Action: func(c *cli.Context) error {
			if err := atMost(c, 0); err != nil {
				return err
			}
			if c.IsSet("spec") && c.String("spec") == "" {
				return usage(c, "flag --spec needs a value")
			}
			return initOptions{mutationFrom(c), c.String("spec")}.run(c.Context, env)
		},
	}
}

func (o initOptions) run(ctx context.Context, env *Env) error {
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	snap, err := st.View(ctx)
	if err != nil {
		return err
	}
	if err := o.update(ctx, env, st, store.Request{Do: o.begin(snap.Exists), Subject: o.subject(st, snap)}); err != nil {
		return err
	}
	if o.spec != "" {
		env.warnOfSpec(st, o.spec)
	}
	o.pointOut(env, st)
	return nil
}

// begin sets the spec. A plan without one is begun by an event that changes no
// record, where there is no file yet.
func (o initOptions) begin(exists bool) change {
	return func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		if o.spec != "" {
			return p.SetSpec(o.spec)
		}
		if exists {
			return plan.Change{}, nil
		}
		return plan.Change{Events: []plan.Event{{Name: plan.EventUpdated, Title: "began the plan"}}}, nil
	}
}

func (o initOptions) subject(st *store.Store, snap store.Snapshot) string {
	switch {
	case snap.Exists:
		return ""
	case o.spec != "":
		return "begin " + st.PlanPath() + " for " + o.spec
	}
	return "begin " + st.PlanPath()
}

// pointOut tells of a plan that was kept in another way. It is the user's.
func (o initOptions) pointOut(env *Env, st *store.Store) {
	if _, err := os.Lstat(filepath.Join(st.Repo().Root(), formerPlan)); err == nil {
		env.warn(formerPlan + " is not used any more: the plan is " + st.PlanPath())
	}
}
