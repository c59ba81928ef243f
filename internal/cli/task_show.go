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
	return &cli.Command{
		Name: "show", Usage: "show tasks", ArgsUsage: "ID…", Description: aboutTaskShow,
		Flags: append(sourceFlags(), formatFlags()...),
		Action: func(c *cli.Context) error {
			source, err := sourceFrom(c)
			if err == nil && c.NArg() == 0 {
				err = usage(c, "which task? give its id")
			}
			if err != nil {
				return err
			}
			return taskShowOptions{source, formatFrom(c), c.Args().Slice()}.run(c.Context, env)
		},
	}
}

// taskShowOptions say which tasks to show.
type taskShowOptions struct {
	source source
	format format
	ids    []string
}

func (o taskShowOptions) run(ctx context.Context, env *Env) error {
	v, err := o.source.view(ctx, env)
	if err != nil {
		return err
	}
	ids, err := v.Plan.ResolveAll(plan.KindTask, o.ids)
	if err != nil {
		return err
	}
	tasks := slices.DeleteFunc(v.Tasks(), func(r *plan.Record) bool { return !slices.Contains(ids, r.ID()) })
	slices.SortStableFunc(tasks, func(a, b *plan.Record) int { return slices.Index(ids, a.ID()) - slices.Index(ids, b.ID()) })
	s := v.state()
	switch {
	case !o.format.json(env):
		env.page(ctx, func(env *Env) {
			for i, r := range tasks {
				s.showTask(env, r, i > 0)
			}
		})
	case len(tasks) == 1:
		env.writeJSON(func(w sink) { writeTask(w, tasks[0], s.BlockedBy(tasks[0])) })
	default:
		env.writeJSON(func(w sink) { s.writeTaskList(w, tasks) })
	}
	return v.invalid()
}

const aboutTaskShow = `Shows tasks, field by field. Where standard output is no terminal it is JSON: the
task with "blocked_by" beside its own fields, or an array of several.
` + queryExits + `
EXAMPLES
  git ralph task show t-1a2b
  git ralph task show t-1a --rev HEAD~3`

// showTask prints a task for people: a line a field, what hangs on it, and how
// often it was rejected.
func (s state) showTask(env *Env, r *plan.Record, apart bool) {
	if apart {
		env.print("")
	}
	word, look := s.taskState(r)
	var t table
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
	t.wrap = true
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
