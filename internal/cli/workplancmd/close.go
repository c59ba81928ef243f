package workplancmd

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/workplan"
)

// Promise is what an agent ends its work on a workplan with.
const Promise = "<promise>HEUREKA</promise>"

// closeOptions are the command line of close.
type closeOptions struct {
	changeOptions
	summary string
}

func newClose(env *term.Env, gate Gate) *cli.Command {
	return &cli.Command{
		Name: "close", Usage: "set a workplan to done whose tasks are all done", ArgsUsage: "FILE", Description: aboutClose,
		Flags:        changeFlags(&cli.StringFlag{Name: "summary", Usage: "say what was delivered: `TEXT`"}),
		BashComplete: FileArgument(),
		Action: cmdline.Action(env, func(c *cli.Context) (closeOptions, error) {
			_, err := FileFrom(c)
			return closeOptions{changeFrom(c, gate), c.String("summary")}, err
		}, closeOptions.run),
	}
}

func (o closeOptions) run(ctx context.Context, env *term.Env) error {
	c, err := o.close(ctx, env)
	if err != nil {
		return err
	}
	promise := Promise
	if !c.Done() || o.dryRun {
		promise = ""
	}
	o.print(env, c, "close "+c.ID+" "+c.Title, promise)
	return nil
}

// close closes the workplan. The gate is called before the lock of the commit is taken, since it may wait for somebody else; what
// would refuse the commit refuses it before that.
func (o closeOptions) close(ctx context.Context, env *term.Env) (changed, error) {
	var was *workplan.File
	decide := func(f *workplan.File) ([]workplan.Change, string, error) {
		was = f
		if err := mayClose(f, o.file); err != nil || f.Done() {
			return nil, "", err
		}
		return []workplan.Change{{To: workplan.Done}}, "close " + f.ID + " " + f.Title, nil
	}
	if o.gate != nil && !o.dryRun {
		tried := o
		tried.dryRun = true
		if _, err := tried.apply(ctx, env, decide); err != nil {
			return changed{}, err
		}
		if err := o.gate.Closing(ctx, was, o.summary); err != nil {
			return changed{}, err
		}
	}
	return o.apply(ctx, env, decide)
}

// PausedError says that nothing is done to a workplan as long as it is paused.
func PausedError(f *workplan.File) error {
	return &cmdline.HintedError{Err: errors.New(f.ID + " is paused"), Hint: "set its status to active in the file"}
}

// mayClose returns why a workplan cannot be closed.
func mayClose(f *workplan.File, file string) error {
	if f.Status == workplan.Paused {
		return PausedError(f)
	}
	if len(f.Unfinished()) > 0 {
		return &cmdline.HintedError{
			Err: errors.New(f.ID + " cannot be closed: " + f.Missing()), Hint: "`git ralph workplan next " + term.ShellLine([]string{file}) + "` shows what is left",
		}
	}
	return nil
}

const aboutClose = `Sets the status in the frontmatter to done, once every task block is done, and commits
the file alone. While a task is not done, and for a paused workplan, it is refused. The
last line that it prints is ` + Promise + `, which ends an agent's work
on the workplan. A workplan that is done already stays as it is.

Prints text; with --json {"committed", "commit", "reason", "promise", "workplan"}.
` + changeExits + `
EXAMPLES
  git ralph workplan close workplans/WP-0001-parser.md
  git ralph workplan close plan.md --summary "The parser reads headers"`
