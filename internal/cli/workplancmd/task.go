package workplancmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/workplan"
)

// taskOptions set the status of one task.
type taskOptions struct {
	changeOptions
	id   string
	to   workplan.Status
	verb string // for the commit and the message
}

func newStartTask(env *term.Env, gate Gate) *cli.Command {
	return taskCommand(env, gate, taskOptions{to: workplan.InProgress, verb: "start"}, &cli.Command{
		Name: "start-task", Usage: "set a task of a workplan to in_progress", Description: aboutStartTask,
	})
}

func newDoneTask(env *term.Env, gate Gate) *cli.Command {
	return taskCommand(env, gate, taskOptions{to: workplan.Done, verb: "done"}, &cli.Command{
		Name: "done-task", Usage: "set a task of a workplan to done", Description: aboutDoneTask,
	})
}

// taskCommand adds what both commands have.
func taskCommand(env *term.Env, gate Gate, o taskOptions, c *cli.Command) *cli.Command {
	c.ArgsUsage, c.Flags = "FILE ID", changeFlags()
	c.BashComplete = cmdline.CompletesArgs(cmdline.Positions(cmdline.Files, taskIDs))
	c.Action = cmdline.Action(env, func(c *cli.Context) (taskOptions, error) {
		o.changeOptions, o.id = changeFrom(c, gate), c.Args().Get(1)
		switch n := c.Args().Len(); {
		case n < 2:
			return o, cmdline.Usage(c, "missing argument: want the path of a workplan and the id of a task")
		case n > 2:
			return o, cmdline.Usage(c, "%s does not take the argument %q", c.Command.HelpName, c.Args().Get(2))
		}
		return o, nil
	}, taskOptions.run)
	return c
}

// taskIDs offers the ids of the tasks of the file on the line.
func taskIDs(ctx context.Context, env *term.Env, line *cmdline.Line) (all []cmdline.Candidate) {
	f, err := read(ctx, env, line.Args[0])
	if err != nil {
		return nil
	}
	for _, t := range f.Tasks {
		all = append(all, cmdline.Candidate{Text: t.ID, About: t.Name})
	}
	return all
}

func (o taskOptions) run(ctx context.Context, env *term.Env) error {
	c, err := o.apply(ctx, env, func(f *workplan.File) ([]workplan.Change, string, error) {
		t, ok := f.Task(o.id)
		if !ok {
			return nil, "", f.Unknown(o.id)
		}
		if t.Status == o.to {
			return nil, "", nil
		}
		return []workplan.Change{{Task: o.id, To: o.to}}, o.verb + " " + t.ID + " " + t.Name, nil
	})
	if err != nil {
		return err
	}
	t, _ := c.Task(o.id)
	if o.gate != nil && !o.dryRun {
		if err := o.gate.TaskChanged(ctx, c.File, t); err != nil {
			return err
		}
	}
	o.print(env, c, o.verb+" "+t.ID+" "+t.Name, "")
	return nil
}

const changeExits = `
EXIT STATUS
  0  done, or there was nothing to change
  1  it cannot be done; nothing was changed
  2  the command line is wrong
  4  another process is changing the plan or a workplan
  5  the file is not a valid workplan
`

const aboutStartTask = `Sets the status of a task block to in_progress, and commits the file alone: what you
have staged, modified or left untracked stays as it is. Only the bytes of the status
change. Your own uncommitted changes of the file go into the commit too.

Prints text; with --json {"committed", "commit", "reason", "workplan"}.
` + changeExits + `
EXAMPLES
  git ralph workplan start-task workplans/WP-0001-parser.md WP-0001-T01`

const aboutDoneTask = `Sets the status of a task block to done, from any other, and commits the file alone:
what you have staged, modified or left untracked stays as it is. Only the bytes of the
status change. Your own uncommitted changes of the file go into the commit too. For a
task that is done already nothing happens.

Prints text; with --json {"committed", "commit", "reason", "workplan"}.
` + changeExits + `
EXAMPLES
  git ralph workplan done-task workplans/WP-0001-parser.md WP-0001-T01
  git ralph workplan done-task plan.md T-02 --no-commit`
