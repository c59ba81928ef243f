package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

func newTaskShow(env *Env) *cli.Command {
	return newShowOf(env, plan.KindTask, aboutTaskShow)
}

func newIssueShow(env *Env) *cli.Command {
	return newShowOf(env, plan.KindIssue, aboutIssueShow)
}

func newShowOf(env *Env, kind plan.Kind, about string) *cli.Command {
	return &cli.Command{
		Name: "show", Usage: "show " + string(kind) + "s", ArgsUsage: "ID…", Description: about,
		Flags: append(sourceFlags(), formatFlags()...),
		Action: func(c *cli.Context) error {
			source, err := sourceFrom(c)
			if err == nil && c.NArg() == 0 {
				err = usage(c, "which %s? give its id", kind)
			}
			if err != nil {
				return err
			}
			return recordShowOptions{kind, source, formatFrom(c), c.Args().Slice()}.run(c.Context, env)
		},
	}
}

// recordShowOptions say which tasks or issues to show.
type recordShowOptions struct {
	kind   plan.Kind
	source source
	format format
	ids    []string
}

func (o recordShowOptions) run(ctx context.Context, env *Env) error {
	v, err := o.source.view(ctx, env)
	if err != nil {
		return err
	}
	ids, err := v.Plan.ResolveAll(o.kind, o.ids)
	if err != nil {
		return err
	}
	records := v.Tasks()
	if o.kind == plan.KindIssue {
		records = v.Issues()
	}
	records = slices.DeleteFunc(records, func(r *plan.Record) bool { return !slices.Contains(ids, r.ID()) })
	slices.SortStableFunc(records, func(a, b *plan.Record) int { return slices.Index(ids, a.ID()) - slices.Index(ids, b.ID()) })
	s := v.state()
	switch {
	case !o.format.json(env):
		env.page(ctx, func(env *Env) {
			for i, r := range records {
				s.showRecord(env, r, i > 0)
			}
		})
	case len(records) == 1:
		env.writeJSON(func(w sink) { s.writeRecord(w, records[0]) })
	default:
		env.writeJSON(func(w sink) { writeArray(w, len(records), func(i int) { s.writeRecord(w, records[i]) }) })
	}
	return v.invalid()
}

const aboutTaskShow = `Shows tasks, field by field. Where standard output is no terminal it is JSON: the
task with "blocked_by" beside its own fields, or an array of several.
` + queryExits + `
EXAMPLES
  git ralph task show t-1a2b
  git ralph task show t-1a --rev HEAD~3`

const aboutIssueShow = `Shows issues, field by field. Where standard output is not a terminal it is JSON:
the issue, or an array of several.
` + queryExits + `
EXAMPLES
  git ralph issue show i-7g8h`

// writeRecord writes a task with what follows from the plan, or an issue.
func (s state) writeRecord(w sink, r *plan.Record) {
	if r.Kind() == plan.KindTask {
		writeTask(w, r, s.BlockedBy(r))
		return
	}
	w.WriteString(strings.TrimSpace(r.JSON()))
}

// showRecord prints a task or issue for people: a line a field, what depends on
// it, and why it was rejected.
func (s state) showRecord(env *Env, r *plan.Record, apart bool) {
	if apart {
		env.print("")
	}
	word, look := "open", plainStyle
	if r.Kind() == plan.KindTask {
		word, look = s.taskState(r)
	}
	t := table{wrap: true}
	t.add(cell{r.ID(), cyan}, cell{word, look})
	for _, m := range r.Object().Members() {
		if m.Name == "t" || m.Name == "id" || m.Name == "s" {
			continue
		}
		addField(&t, m)
	}
	if dependants := s.plan.Dependants(r.ID()); len(dependants) > 0 {
		t.add(cell{"needed by", faint}, cell{strings.Join(dependants, ", "), plainStyle})
	}
	for _, tombstone := range s.plan.Of(plan.KindReject) {
		if tombstone.ID() == r.ID() {
			t.add(cell{"rejected", faint}, cell{tombstone.Text("reason"), yellow})
		}
	}
	t.write(env)
}

// addField adds a row for each line of a field's value.
func addField(t *table, m jsonl.Member) {
	title := m.Name
	for _, line := range fieldLines(m.Value) {
		t.add(cell{title, faint}, cell{line, plainStyle})
		title = ""
	}
}

func fieldLines(v jsonl.Value) []string {
	if text, ok := v.Str(); ok {
		return strings.Split(text, "\n")
	}
	if texts, ok := v.Strings(); ok {
		return []string{strings.Join(texts, ", ")}
	}
	return []string{string(v)}
}
