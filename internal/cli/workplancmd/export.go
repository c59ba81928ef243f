package workplancmd

import (
	"context"
	"path"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/workplan"
	"git-ralph/internal/workplantask"
)

// exportOptions are the command line of export.
type exportOptions struct {
	changeOptions
	spec string
}

func newExport(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "write the plan's tasks to a workplan", ArgsUsage: "FILE", Description: aboutExport,
		Flags: changeFlags(
			cmdline.Completes(&cli.StringFlag{Name: "spec", Usage: "the tasks of a `SPEC`, instead of the current one"}, planio.Specs),
		),
		BashComplete: FileArgument(),
		Action: cmdline.Action(env, func(c *cli.Context) (exportOptions, error) {
			_, err := FileFrom(c)
			return exportOptions{changeFrom(c, nil), c.String("spec")}, err
		}, exportOptions.run),
	}
}

func (o exportOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	file, err := planio.WorkplanPath(st, o.file)
	if err != nil {
		return err
	}
	snap, err := st.View(ctx)
	if err != nil {
		return err
	}
	p, err := snap.Valid()
	if err != nil {
		return err
	}
	var now *workplan.File
	result, err := st.UpdateFile(ctx, store.FileUpdate{
		Path: file, NoCommit: o.noCommit, DryRun: o.dryRun, OwnEdits: true,
		Subject: func() string { return "export the plan to " + file },
		Edit: func(text string, exists bool) (_ string, err error) {
			if !exists {
				if text, err = o.fresh(p, file); err != nil {
					return "", err
				}
			}
			f, err := planio.WorkplanParser(env).Parse(ctx, o.file, []byte(text))
			if err != nil || !exists {
				now = f
				return text, err
			}
			changes := workplantask.Statuses(p, file, f)
			now = f.With(changes...)
			edited, err := f.Apply([]byte(text), changes...)
			return string(edited), err
		},
	})
	if err != nil {
		return err
	}
	o.print(env, changed{now, result}, "export to "+o.file, "")
	return nil
}

// fresh returns the text of a new workplan.
func (o exportOptions) fresh(p *plan.Plan, file string) (string, error) {
	spec := o.spec
	if spec == "" {
		spec = p.Spec()
	}
	if spec == "" {
		return "", plan.ErrNoSpec
	}
	id := strings.TrimSuffix(path.Base(file), path.Ext(file))
	f := workplantask.Export(p, file, spec, workplan.File{ID: id, Title: spec, Status: workplan.Active})
	if len(f.Tasks) == 0 {
		return "", &cmdline.NothingError{Text: "the plan has no task of " + spec}
	}
	return workplan.Render(f), nil
}

const aboutExport = `Writes the tasks of the current spec to a workplan, and commits it. In a file that exists
already only statuses change: blocks of tasks that are done become done, and blocks of
tasks that are not done any more become todo. After import, export changes nothing.

Prints text; with --json {"committed", "commit", "reason", "workplan"}.

EXIT STATUS
  0  done, or there was nothing to change
  1  it cannot be done; nothing was changed
  2  the command line is wrong
  3  the plan has no task of the spec
  4  another process is changing the plan or a workplan
  5  the plan, or the file, is not valid

EXAMPLES
  git ralph workplan export workplans/WP-0001-parser.md
  git ralph workplan export --spec parser.md workplans/parser.md`
