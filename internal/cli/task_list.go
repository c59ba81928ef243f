package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/plan"
)

// taskListOptions say which tasks to list, and how.
type taskListOptions struct {
	source source
	format format
	filter taskFilter
	sort   string // a key of taskOrders, with - before it for the opposite order
	limit  int    // 0 for all
	tree   bool   // each task below those that wait for it
}

func newTaskList(env *Env) *cli.Command {
	own := []cli.Flag{
		&cli.StringFlag{Name: "status", Value: "all", Usage: "only `STATUS`: " + strings.Join(taskStatuses(), ", ") + " or all"},
		&cli.StringFlag{Name: "search", Usage: "only tasks of which an id or a text holds `TEXT`, in capitals or not"},
		&cli.StringFlag{Name: "spec", Usage: "only tasks of the spec `FILE`"},
		&cli.StringSliceFlag{Name: "label", Usage: "only tasks with the `LABEL`; may be repeated"},
		&cli.BoolFlag{Name: "blocked", Usage: "only tasks that wait for others"},
		&cli.BoolFlag{Name: "ready", Usage: "only pending tasks that wait for nothing"},
		&cli.StringFlag{Name: "sort", Value: "work", Usage: "by `KEY`: work, created, priority, name or id; -KEY for the opposite order"},
		&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Usage: "at most `N` tasks, 0 for all"},
		&cli.BoolFlag{Name: "tree", Usage: "print each task below those that wait for it"},
	}
	return &cli.Command{
		Name: "list", Usage: "list tasks", Description: aboutTaskList,
		Flags: slices.Concat(own, sourceFlags(), formatFlags()),
		Action: func(c *cli.Context) error {
			o, err := taskListFrom(c)
			if err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

func taskListFrom(c *cli.Context) (taskListOptions, error) {
	source, err := sourceFrom(c)
	o := taskListOptions{
		source: source, format: formatFrom(c), sort: c.String("sort"), limit: c.Int("limit"), tree: c.Bool("tree"),
		filter: taskFilter{
			status: c.String("status"), search: c.String("search"), spec: c.String("spec"), labels: c.StringSlice("label"),
			blocked: c.Bool("blocked"), ready: c.Bool("ready"),
		},
	}
	if err == nil {
		err = atMost(c, 0)
	}
	if err != nil {
		return o, err
	}
	return o, o.check(c)
}

func (o taskListOptions) check(c *cli.Context) error {
	switch status := o.filter.status; {
	case slices.Contains([]string{"accepted", "rejected", "cancelled", "lost"}, status) && !slices.Contains(taskStatuses(), status):
		return &usageError{text: fmt.Sprintf("invalid status %q: such tasks have left the plan", status), hint: "`git ralph log --all --status " + status + "` lists them"}
	case status != "all" && !slices.Contains(taskStatuses(), status):
		return usage(c, "invalid status %q: want %s or all", status, strings.Join(taskStatuses(), ", "))
	case taskOrder(o.sort) == nil:
		return usage(c, "invalid sort key %q: want work, created, priority, name or id", o.sort)
	case o.limit < 0:
		return usage(c, "invalid limit %d: want 0 or more", o.limit)
	case o.filter.blocked && o.filter.ready:
		return usage(c, "--blocked and --ready exclude each other")
	case o.tree && o.format == formatJSON:
		return usage(c, "--tree is text: it cannot be combined with JSON")
	}
	return nil
}

func (o taskListOptions) run(ctx context.Context, env *Env) error {
	v, err := o.source.view(ctx, env)
	if err != nil {
		return err
	}
	s := v.state()
	tasks := slices.DeleteFunc(s.Tasks(), func(r *plan.Record) bool { return !o.filter.matches(s, r) })
	taskOrder(o.sort)(tasks)
	if o.limit > 0 {
		tasks = tasks[:min(o.limit, len(tasks))]
	}
	switch {
	case o.tree:
		env.page(ctx, func(env *Env) { s.showTree(env, tasks) })
	case o.format.json(env):
		env.writeJSON(func(w sink) { s.writeTaskList(w, tasks) })
	default:
		env.page(ctx, func(env *Env) { s.showTasks(env, tasks) })
	}
	return v.invalid()
}

// showTasks lists tasks for people: id, state, priority, name.
func (s state) showTasks(env *Env, tasks []*plan.Record) {
	var t table
	for _, r := range tasks {
		word, look := s.taskState(r)
		name := firstLineOf(r.Name())
		t.add(cell{r.ID(), cyan}, cell{word, look}, cell{r.Text("priority"), plainStyle}, cell{strings.Join(r.Texts("labels"), ","), faint},
			cell{s.otherSpec(r), faint}, cell{name, plainStyle})
	}
	t.write(env)
	if len(tasks) == 0 {
		env.hint("no matching tasks")
	}
}

// taskState says in a word or two how a task stands.
func (s state) taskState(r *plan.Record) (string, style) {
	waits := s.BlockedBy(r)
	switch {
	case r.Done():
		return "done", green
	case !r.Pending():
		return "state " + cmp.Or(r.Text("s"), `""`), faint
	case len(waits) > 2:
		return "waits for " + strings.Join(waits[:2], ", ") + " …", faint
	case len(waits) > 0:
		return "waits for " + strings.Join(waits, ", "), faint
	case r.Has("kill"):
		return "killed", red
	case r.Has("reject"):
		return "rejected", yellow
	}
	return "ready", plainStyle
}

// otherSpec is the spec of a record where it is not the current one.
func (s state) otherSpec(r *plan.Record) string {
	if r.Spec() == s.plan.Spec() {
		return ""
	}
	return r.Spec()
}

const aboutTaskList = `Lists tasks: pending ones in the order of work, then done ones, the oldest first,
then those of a state that is neither.
Filters combine. --tree prints what each task waits for below it.

Where standard output is not a terminal it is a JSON array, in which each task has
its own fields and "blocked_by". Works in any stage. ` + "`" + `git ralph list` + "`" + ` is a short form.
` + queryExits + `
EXAMPLES
  git ralph task list
  git ralph task list --ready --json | jq -r '.[0].id'
  git ralph task list --search parser --sort -created --limit 5
  git ralph task list --tree --status pending
  git ralph task list --status done --rev main`
