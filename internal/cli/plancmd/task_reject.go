package plancmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// taskRejectOptions say which done task to reject, and why.
type taskRejectOptions struct {
	planio.Mutation
	id        string // "" for the one done earliest
	reason    string
	supersede string // the task in its place: a name, or JSON
}

func newTaskReject(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "reject", Usage: "reject a done task: it is pending again", ArgsUsage: "[ID] REASON",
		Description: aboutTaskReject,
		Flags: planio.ClaimedFlags(
			&cli.StringFlag{Name: "supersede", Usage: "put another task in its place: a `NAME`, or JSON"},
		),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(doneIDs())),
		Action:       cmdline.Action(env, taskRejectFrom, taskRejectOptions.run),
	}
}

// taskRejectFrom takes a single argument as the reason.
func taskRejectFrom(c *cli.Context) (taskRejectOptions, error) {
	o := taskRejectOptions{Mutation: planio.MutationFrom(c), supersede: strings.TrimSpace(c.String("supersede"))}
	switch args := c.Args().Slice(); len(args) {
	case 0:
	case 1:
		o.reason = args[0]
	default:
		o.id, o.reason = args[0], strings.Join(args[1:], " ")
	}
	o.reason = strings.TrimSpace(o.reason)
	switch {
	case o.reason == "":
		return o, cmdline.Usage(c, "missing reason: want why the task is rejected")
	case plan.ValidID(plan.KindTask, o.reason):
		return o, cmdline.Usage(c, "missing reason: want why %s is rejected, after its id", o.reason)
	}
	return o, nil
}

func (o taskRejectOptions) run(ctx context.Context, env *term.Env) error {
	replacement, err := o.replacement()
	if err != nil {
		return err
	}
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	repeated := 0
	do, err := planio.Following(ctx, env, st, func(p *plan.Plan, in store.Inputs) (change plan.Change, err error) {
		id, err := o.task(ctx, st, p)
		if err != nil {
			return plan.Change{}, err
		}
		if o.supersede == "" {
			change, err = p.Reject(id, o.reason)
		} else {
			change, err = p.RejectAndReplace(id, o.reason, replacement, in.Stamp)
		}
		repeated = p.CountRejections(o.reason)
		return change, err
	})
	if err == nil {
		err = o.Mutation.Update(ctx, env, st, store.Request{Do: do})
	}
	if err == nil && repeated > 1 {
		env.Hint(fmt.Sprintf("this is rejection %d for this reason; `git ralph issue add` records the cause", repeated))
	}
	return err
}

// task returns the id of the task to reject.
func (o taskRejectOptions) task(ctx context.Context, st *store.Store, p *plan.Plan) (string, error) {
	if o.id != "" {
		id, err := p.ResolveID(plan.KindTask, o.id)
		if err != nil {
			err = &cmdline.HintedError{Err: err, Hint: "the first of several arguments is the id; put a reason of several words in quotes"}
		}
		return id, err
	}
	done := schedule.Of(p).ToVerify()
	if len(done) == 0 {
		return "", &cmdline.NothingError{Text: "no task is done, so none can be rejected"}
	}
	return doneEarliest(st.Repo().Reader(ctx), done).ID(), nil
}

// replacement reads the task that supersedes the rejected one.
func (o taskRejectOptions) replacement() (jsonl.Object, error) {
	objects, isJSON, err := readArgument("--supersede", o.supersede)
	if err != nil {
		return jsonl.Object{}, err
	}
	if isJSON {
		if len(objects) != 1 {
			return jsonl.Object{}, &cmdline.UsageError{Text: "--supersede takes one task", Command: "git ralph task reject"}
		}
		return objects[0], nil
	}
	var m members
	m.set("name", o.supersede)
	return m.object(), nil
}

const aboutTaskReject = `Rejects a done task: it is pending again and holds the reason, and a tombstone
keeps the attempt. Without an id it is the one that was done earliest; a single
argument is the reason. With --supersede another task takes its place, and what
waited for it. No terminal is needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph task reject "the output does not match the spec"
  git ralph task reject t-1a2b "no test covers errors"
  git ralph task reject t-1a2b "too slow" --supersede "Stream the file"`
