package mergecmd

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/store"
)

// mergePreviewOptions are the command line of `git ralph merge-preview`.
type mergePreviewOptions struct {
	rev    string
	format cmdline.Format
}

func NewMergePreview(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "merge-preview", Usage: "show what a merge would do to the plan", ArgsUsage: "REV",
		Description: `Shows what merging a revision into HEAD would do to the plan of the worktree: the
changes, as diff shows them, then the conflicts that would be recorded, and the values
that would be discarded. Nothing is written. With several merge bases they are
merged first, as git does; unrelated histories have an empty one.

The output is text in a pipe too; --json makes it JSON: what diff --json prints, and
{"merged": {"conflicts": [{"id", "field"}], "gave_way": […]}}: "id", "field", the
"value" that was discarded and the one that was "kept".

EXIT STATUS
  0  done, whether something would change or not
  1  there is no such revision, or it cannot be read
  2  the command line is wrong
  5  one of the plans is not valid

EXAMPLES
  git ralph merge-preview origin/main
  git ralph merge-preview topic --json | jq .merged.conflicts`,
		Flags:        cmdline.TextFormatFlags(),
		BashComplete: cmdline.CompletesArgs(cmdline.Revisions),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return cmdline.Usage(c, "merge-preview takes one revision")
			}
			return mergePreviewOptions{c.Args().First(), cmdline.FormatFrom(c)}.run(c.Context, env)
		},
	}
}

func (o mergePreviewOptions) run(ctx context.Context, env *term.Env) error {
	s, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	ours, theirs, err := o.sides(ctx, env, s)
	if err != nil {
		return err
	}
	result, err := o.merge(ctx, s, ours.Plan, theirs.Plan)
	if err != nil {
		return err
	}
	merged, _ := plan.DecodeBytes(result.Data)
	d := plandiff.Compare(ours.Plan, merged)
	if o.format == cmdline.FormatJSON {
		env.WriteJSON(func(w term.Sink) { o.write(w, ours.File, d, result) })
		return nil
	}
	o.show(env, d, result)
	return nil
}

// sides reads the plans of the worktree and of the revision.
func (o mergePreviewOptions) sides(ctx context.Context, env *term.Env, s *store.Store) (ours, theirs store.Snapshot, err error) {
	if ours, err = planio.ViewPlan(ctx, env, s); err == nil {
		_, err = ours.Valid()
	}
	if err != nil {
		return ours, theirs, err
	}
	if theirs, err = s.At(ctx, o.rev); err == nil {
		_, err = theirs.Valid()
	}
	return ours, theirs, err
}

func (o mergePreviewOptions) merge(ctx context.Context, s *store.Store, ours, theirs *plan.Plan) (merge.Result, error) {
	base, err := s.Base(ctx, "HEAD", o.rev)
	var result merge.Result
	if err == nil {
		result, err = merge.Merge(base, ours.Encode(), theirs.Encode())
	}
	if invalid, ok := errors.AsType[*merge.InvalidError](err); ok {
		err = &plan.InvalidError{File: "merge " + string(invalid.Input), Problems: invalid.Problems}
	}
	return result, err
}

func (o mergePreviewOptions) show(env *term.Env, d plandiff.Diff, result merge.Result) {
	if d.Empty() {
		env.Print("merging " + o.rev + " changes nothing in the plan")
	}
	planprint.DiffPrinter{Env: env}.Print(d)
	for _, c := range result.Conflicts {
		env.PrintCells(term.Cell{Text: c.String(), Style: term.Yellow})
	}
	for _, l := range result.Discarded {
		env.Print(l.String())
	}
}

// write writes what planprint.WriteDiffJSON does, and "merged".
func (o mergePreviewOptions) write(w term.Sink, file string, d plandiff.Diff, result merge.Result) {
	out := term.Object{Sink: w}
	planprint.WriteDiffMembers(&out, file, "merge of "+o.rev, d)
	out.Member("merged")
	planprint.WriteMerged(w, result)
	out.End()
}
