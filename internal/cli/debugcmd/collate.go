package debugcmd

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/debugissue"
	"git-ralph/internal/debuglog"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// collateOptions say which events become issues.
type collateOptions struct {
	planio.Mutation
	since  string
	gitHub bool
}

func newCollate(env *term.Env, gitHub func(uicmd.CollateOptions, context.Context, *term.Env) error) *cli.Command {
	return &cli.Command{
		Name: "collate", Usage: "make issues of what failed", Description: aboutCollate,
		Flags: planio.MutationFlags(sinceFlag("24h"), &cli.BoolFlag{Name: "github", Usage: "make issues at GitHub, not of the plan"}),
		Action: cmdline.Action(env, collateFrom, func(o collateOptions, ctx context.Context, env *term.Env) error {
			if o.gitHub {
				return gitHub(uicmd.CollateOptions{Since: o.since, DryRun: o.DryRun, Format: o.Format}, ctx, env)
			}
			return o.run(ctx, env)
		}),
	}
}

func collateFrom(c *cli.Context) (collateOptions, error) {
	o := collateOptions{planio.MutationFrom(c), c.String("since"), c.Bool("github")}
	if o.gitHub && (c.Bool("no-commit") || c.Bool("full")) {
		return o, cmdline.Usage(c, "--github changes no plan: want neither --no-commit nor --full with it")
	}
	return o, nil
}

func (o collateOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	collected, err := Collect(ctx, env, st, o.since, o.DryRun)
	if err != nil {
		return err
	}
	var history closings
	err = o.Update(ctx, env, st, store.Request{StartEmpty: true, Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		if err := history.read(ctx, env); err != nil {
			return plan.Change{}, err
		}
		change, err := debugissue.Update(p, debugissue.Request{Collected: collected, Closed: history.closed, Now: in.Now})
		if err == nil && change.Empty() {
			err = &cmdline.NothingError{Text: "nothing failed that its issue has not counted"}
		}
		return change, err
	}})
	return err
}

// Collect counts the failures since a time, in the words of the command line, that were not counted before, and returns all that ever
// were. A dry run keeps nothing. Where there are none, the error is a *cmdline.NothingError.
func Collect(ctx context.Context, env *term.Env, st *store.Store, since string, dryRun bool) (*debuglog.Collection, error) {
	from, err := planio.ReadSince(ctx, env, st, since)
	if err != nil {
		return nil, err
	}
	clone := func() string { return fmt.Sprintf("%04x%04x", env.Random(1<<16), env.Random(1<<16)) }
	collected, _, err := debuglog.Of(st.Repo().CommonDir()).Collect(ctx, from.Time, clone, dryRun)
	if err == nil && len(collected.Failures) == 0 {
		err = &cmdline.NothingError{Text: "the debug log has no failures that --since " + since + " includes", Hint: "RALPH_DEBUG=true records what git ralph does from now on"}
	}
	return collected, err
}

// closings are when issues were closed, by id.
type closings struct{ last map[string]time.Time }

// read reads the history of the plan, once.
func (c *closings) read(ctx context.Context, env *term.Env) error {
	if c.last != nil {
		return nil
	}
	_, h, err := planio.ReadHistory(ctx, env, false)
	if err != nil {
		return err
	}
	c.last = map[string]time.Time{}
	for _, life := range h.Lives {
		if life.Kind != plan.KindIssue || life.Outcome == nil {
			continue
		}
		for _, id := range append([]string{life.ID}, life.Former...) {
			if life.Outcome.Date.After(c.last[id]) {
				c.last[id] = life.Outcome.Date
			}
		}
	}
	return nil
}

func (c *closings) closed(id string) time.Time { return c.last[id] }

const aboutCollate = `Adds an issue with the label ` + debugissue.Label + ` to the plan for each way in which something
failed, and counts in the issues that are there what happened since, all in one
commit. Failures are the same where category, name, type and message are, whatever
times, numbers and hashes are in it.

Each event counts once, however often this runs, and whatever is merged: each clone
counts what it recorded. An issue that was closed is added again when its failure
comes back later, unless a task that was made of it is still pending.

With --github the issues are at GitHub, in the repository of ` + "`git ralph github`" + `, and
the plan stays as it is. An open issue counts; one that was closed is opened again
when its failure comes back later, but for one that was closed as not planned.
` + planio.MutationExits + `
EXAMPLES
  git ralph debug collate
  git ralph debug collate --since "2 weeks ago" --dry-run
  git ralph debug collate --github`
