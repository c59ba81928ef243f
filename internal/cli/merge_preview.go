package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/store"
)

// mergePreviewOptions are the command line of `git ralph merge-preview`.
type mergePreviewOptions struct {
	rev    string
	format format
}

func newMergePreview(env *Env) *cli.Command {
	return &cli.Command{
		Name: "merge-preview", Usage: "show what a merge would do to the plan", ArgsUsage: "REV",
		Description: `Shows what merging a revision into HEAD would do to the plan of the worktree: the
changes, as diff shows them, then what would be recorded as a conflict, and what
would give way. Nothing is written. With several merge bases they are merged first,
as git does; unrelated histories have an empty one.

The output is text in a pipe too; --json makes it JSON: what diff --json prints, and
{"merged": {"conflicts": [{"id", "field"}], "gave_way": […]}}: "id", "field", the
"value" that gave way and the one that was "kept".

EXIT STATUS
  0  done, whether something would change or not
  1  there is no such revision, or it cannot be read
  2  the command line is wrong
  5  one of the plans is not valid

EXAMPLES
  git ralph merge-preview origin/main
  git ralph merge-preview topic --json | jq .merged.conflicts`,
		Flags: textFormatFlags(),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usage(c, "merge-preview takes one revision")
			}
			return mergePreviewOptions{c.Args().First(), formatFrom(c)}.run(c.Context, env)
		},
	}
}

func (o mergePreviewOptions) run(ctx context.Context, env *Env) error {
	s, err := env.open(ctx)
	if err != nil {
		return err
	}
	ours, theirs, err := o.sides(ctx, s)
	if err != nil {
		return err
	}
	result, err := o.merge(ctx, s, ours.Plan, theirs.Plan)
	if err != nil {
		return err
	}
	merged, _ := plan.DecodeBytes(result.Data)
	d := plandiff.Compare(ours.Plan, merged)
	if o.format == formatJSON {
		env.writeJSON(func(w sink) { o.write(w, ours.File, d, result) })
		return nil
	}
	o.show(env, d, result)
	return nil
}

// sides reads the plans of the worktree and of the revision.
func (o mergePreviewOptions) sides(ctx context.Context, s *store.Store) (ours, theirs store.Snapshot, err error) {
	if ours, err = s.View(ctx); err == nil {
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

func (o mergePreviewOptions) show(env *Env, d plandiff.Diff, result merge.Result) {
	if d.Empty() {
		env.print("merging " + o.rev + " changes nothing in the plan")
	}
	diffPrinter{env}.print(d)
	for _, c := range result.Conflicts {
		fmt.Fprintln(env.Out, env.paint(printable(c.String()), yellow))
	}
	for _, l := range result.Losers {
		env.print(l.String())
	}
}

// write writes what writeDiff does, and "merged".
func (o mergePreviewOptions) write(w sink, file string, d plandiff.Diff, result merge.Result) {
	out := object{sink: w}
	writeDiffMembers(&out, file, "merge of "+o.rev, d)
	out.member("merged")
	writeMerged(w, result)
	out.end()
}

// writeMerged writes {"conflicts", "gave_way"}: what a merge recorded, and what
// is not in the plan any more.
func writeMerged(w sink, result merge.Result) {
	o := object{sink: w}
	o.member("conflicts")
	writeList(w, len(result.Conflicts), func(i int) {
		c := object{sink: w}
		c.strOrNull("id", result.Conflicts[i].ID)
		c.value("field", string(jsonl.Quote(result.Conflicts[i].Field)))
		c.end()
	})
	o.member("gave_way")
	writeList(w, len(result.Losers), func(i int) {
		l := object{sink: w}
		l.strOrNull("id", result.Losers[i].ID)
		l.value("field", string(jsonl.Quote(result.Losers[i].Field)))
		l.value("value", result.Losers[i].What)
		l.value("kept", result.Losers[i].Kept)
		l.end()
	})
	o.end()
}
