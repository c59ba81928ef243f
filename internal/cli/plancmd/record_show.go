package plancmd

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

func newTaskShow(env *term.Env) *cli.Command {
	return newShowOf(env, plan.KindTask, aboutTaskShow, planio.TaskIDs())
}

func newIssueShow(env *term.Env) *cli.Command {
	return newShowOf(env, plan.KindIssue, aboutIssueShow, planio.IssueIDs())
}

func newItemShow(env *term.Env) *cli.Command {
	return newShowOf(env, plan.KindItem, aboutItemShow, planio.ItemIDs())
}

func newShowOf(env *term.Env, kind plan.Kind, about string, ids cmdline.Values) *cli.Command {
	return &cli.Command{
		Name: "show", Usage: "show " + string(kind) + "s", ArgsUsage: "ID…", Description: about,
		Flags:        append(planio.SourceFlags(), cmdline.FormatFlags()...),
		BashComplete: cmdline.CompletesArgs(ids),
		Action: func(c *cli.Context) error {
			source, err := planio.SourceFrom(c)
			if err == nil && c.NArg() == 0 {
				err = cmdline.Usage(c, "missing id: want that of the %s", kind)
			}
			if err != nil {
				return err
			}
			return recordShowOptions{kind, source, cmdline.FormatFrom(c), c.Args().Slice()}.run(c.Context, env)
		},
	}
}

// recordShowOptions say which tasks, issues or items to show.
type recordShowOptions struct {
	kind   plan.Kind
	source planio.Source
	format cmdline.Format
	ids    []string
}

func (o recordShowOptions) run(ctx context.Context, env *term.Env) error {
	v, err := o.source.View(ctx, env)
	if err != nil {
		return err
	}
	ids, err := v.Plan.ResolveIDs(o.kind, o.ids)
	if err != nil {
		return err
	}
	records := recordsOf(v, o.kind)
	records = slices.DeleteFunc(records, func(r *plan.Record) bool { return !slices.Contains(ids, r.ID()) })
	slices.SortStableFunc(records, func(a, b *plan.Record) int { return slices.Index(ids, a.ID()) - slices.Index(ids, b.ID()) })
	s := v.State()
	switch {
	case !o.format.Json(env):
		env.Page(ctx, func(env *term.Env) {
			for i, r := range records {
				s.ShowRecord(env, r, i == 0)
			}
		})
	case len(records) == 1:
		env.WriteJSON(func(w term.Sink) { s.WriteRecord(w, records[0]) })
	default:
		env.WriteJSON(func(w term.Sink) { term.WriteArray(w, len(records), func(i int) { s.WriteRecord(w, records[i]) }) })
	}
	return v.Invalid()
}

// recordsOf returns the records of a kind in a view.
func recordsOf(v planio.View, kind plan.Kind) []*plan.Record {
	switch kind {
	case plan.KindIssue:
		return v.Issues()
	case plan.KindItem:
		return planprint.Items(v.Plan, v.Claims)
	}
	return v.Tasks()
}

const aboutTaskShow = `Shows tasks, field by field. Where standard output is no terminal it is JSON: the
task with "blocked_by" beside its own fields, or an array of several.
` + planio.QueryExits + `
EXAMPLES
  git ralph task show t-1a2b
  git ralph task show t-1a --rev HEAD~3`

const aboutIssueShow = `Shows issues, field by field. Where standard output is not a terminal it is JSON:
the issue, or an array of several.
` + planio.QueryExits + `
EXAMPLES
  git ralph issue show i-7g8h`

const aboutItemShow = `Shows items, field by field. Where standard output is not a terminal it is JSON:
the item, or an array of several.
` + planio.QueryExits + `
EXAMPLES
  git ralph item show GH-42
  git ralph item show w-7g8h --rev HEAD~3`
