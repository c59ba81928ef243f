package plancmd

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// taskDoneOptions say which tasks are done; without ids the next one.
type taskDoneOptions struct {
	planio.Mutation
	ids     []string
	force   bool
	claims  schedule.Claims // what it passes over without an id
	meta    members
	message string // of the commit that includes what is staged
	result  pipeline.Result
	rules   pipeline.Finishing
}

func newTaskDone(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "done", Category: cmdline.ShortForm, Usage: "mark tasks done", ArgsUsage: "[ID…]", Description: aboutTaskDone,
		Flags: planio.ClaimedFlags(
			&cli.BoolFlag{Name: "force", Usage: "even where it waits for others, or somebody else has claimed it"},
			metaFlag(),
			&cli.StringFlag{Name: "verdict", Usage: "what a review or triage has come to: `VERDICT`"},
			&cli.StringFlag{Name: "reason", Usage: "why: `TEXT`"},
			cmdline.Completes(&cli.StringFlag{Name: "artifact", Usage: "the `FILE` that was written"}, cmdline.Files),
			cmdline.Completes(&cli.StringSliceFlag{Name: "file", Usage: "a `FILE` that will be modified, as research found; may be repeated"}, cmdline.Files),
			&cli.BoolFlag{Name: "with-staged", Usage: "commit what is staged along with it, through git commit and its hooks"},
			&cli.StringFlag{Name: "message", Aliases: []string{"m"}, Usage: "the commit message `TEXT` for --with-staged"},
		),
		BashComplete: cmdline.CompletesArgs(planio.PendingIDs()),
		Action:       cmdline.Action(env, taskDoneFrom, taskDoneOptions.run),
	}
}

func taskDoneFrom(c *cli.Context) (taskDoneOptions, error) {
	meta, err := metaFrom(c)
	o := taskDoneOptions{
		Mutation: planio.MutationFrom(c), ids: c.Args().Slice(), force: c.Bool("force"), meta: meta, message: c.String("message"),
		result: pipeline.Result{
			Verdict: strings.TrimSpace(c.String("verdict")), Reason: strings.TrimSpace(c.String("reason")),
			Artifact: strings.TrimSpace(c.String("artifact")), Files: c.StringSlice("file"),
		},
	}
	switch {
	case err != nil:
	case c.Bool("with-staged") && o.message == "":
		err = cmdline.Usage(c, "--with-staged needs a message: -m TEXT")
	case c.IsSet("message") && !c.Bool("with-staged"):
		err = cmdline.Usage(c, "-m is the message for --with-staged, which is missing")
	case c.Bool("with-staged") && o.NoCommit:
		err = cmdline.Usage(c, "--with-staged commits, --no-commit does not")
	}
	return o, err
}

func (o taskDoneOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if o.rules, err = planio.ItemRules(ctx, env, st); err != nil {
		return err
	}
	if len(o.ids) == 0 {
		o.claims = planio.ScheduleClaims(ctx, env, st)
	}
	return planio.SkipUnchanged(ctx, env, o.ids, []fold.Status{fold.Done, fold.Accepted}, func(ids []string) error {
		return o.Update(ctx, env, st, store.Request{StagedMessage: o.message, Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			return o.done(p, ids, in)
		}})
	})
}

func (o taskDoneOptions) done(p *plan.Plan, ids []string, in store.Inputs) (plan.Change, error) {
	ids, err := p.ResolveIDs(plan.KindTask, ids)
	if err == nil && len(ids) == 0 {
		var id string
		id, err = nextTask(p, o.claims)
		ids = []string{id}
	}
	if err != nil {
		return plan.Change{}, err
	}
	o.rules.DoneOptions, o.rules.Result = plan.DoneOptions{Head: in.Head, Force: o.force, Meta: o.meta}, o.result
	return pipeline.Finish(p, ids, o.rules, in.Stamp)
}

const aboutTaskDone = `Marks tasks done, at the commit that HEAD is now; without an id, the one that
` + "`git ralph query next`" + ` names in BUILD. A task that waits for others is refused
unless --force is given. Of several ids, those that are done already are
reported, and the others are done in one commit. With --with-staged the work that
is staged and the plan go into one commit. No terminal is needed; in any stage a
task with an id can be done, without an id only in BUILD.

The state of an item follows the tasks that git ralph pipeline plan has made for it.
Of those, a review needs a verdict, APPROVED or NEEDS_ITERATION with a reason, and
triage the state in which its item goes on. --artifact and --file are kept in the
items, for the work that comes next.
` + planio.MutationExits + `
EXAMPLES
  git ralph task done
  git ralph task done t-1a2b --meta tests=12
  git ralph task done t-w-7g8h-review --verdict APPROVED --artifact review.md
  git ralph task done --with-staged -m "Add the parser"`
