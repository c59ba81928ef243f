package plancmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

// taskListOptions say which tasks to list, and how.
type taskListOptions struct {
	source planio.Source
	format cmdline.Format
	filter taskFilter
	sort   string // a key of taskOrder, with - before it for the opposite order
	limit  int    // 0 for all
	tree   bool   // each task below those that wait for it
}

func newTaskList(env *term.Env) *cli.Command {
	own := []cli.Flag{
		cmdline.Completes(
			&cli.StringFlag{Name: "status", Value: "all", Usage: "only `STATUS`: " + strings.Join(taskStatuses(), ", ") + " or all"},
			cmdline.OneOf(append(taskStatuses(), "all")...),
		),
		&cli.StringFlag{Name: "search", Usage: "only tasks of which an id or a text holds `TEXT`, in capitals or not"},
		cmdline.Completes(&cli.StringFlag{Name: "spec", Usage: "only tasks of the spec `FILE`"}, planio.Specs),
		cmdline.Completes(&cli.StringSliceFlag{Name: "label", Usage: "only tasks with the `LABEL`; may be repeated"}, labels()),
		&cli.BoolFlag{Name: "blocked", Usage: "only tasks that wait for others"},
		&cli.BoolFlag{Name: "ready", Usage: "only pending tasks that wait for nothing"},
		cmdline.Completes(
			&cli.StringFlag{Name: "sort", Value: "work", Usage: "by `KEY`: work, created, priority, name or id; -KEY for the opposite order"},
			cmdline.OneOf("work", "created", "priority", "name", "id"),
		),
		&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Usage: "at most `N` tasks, 0 for all"},
		&cli.BoolFlag{Name: "tree", Usage: "print each task below those that wait for it"},
	}
	return &cli.Command{
		Name: "list", Usage: "list tasks", Category: cmdline.ShortForm, Description: aboutTaskList,
		Flags:  slices.Concat(own, planio.SourceFlags(), cmdline.FormatFlags()),
		Action: cmdline.Action(env, taskListFrom, taskListOptions.run),
	}
}

func taskListFrom(c *cli.Context) (taskListOptions, error) {
	source, err := planio.SourceFrom(c)
	o := taskListOptions{
		source: source, format: cmdline.FormatFrom(c), sort: c.String("sort"), limit: c.Int("limit"), tree: c.Bool("tree"),
		filter: taskFilter{
			status: c.String("status"), search: c.String("search"), spec: c.String("spec"), labels: c.StringSlice("label"),
			blocked: c.Bool("blocked"), ready: c.Bool("ready"),
		},
	}
	if err != nil {
		return o, err
	}
	return o, o.check(c)
}

func (o taskListOptions) check(c *cli.Context) error {
	switch status := o.filter.status; {
	case slices.Contains([]string{"accepted", "cancelled", "lost"}, status):
		return &cmdline.UsageError{Text: fmt.Sprintf("invalid status %q: such tasks have left the plan", status), Hint: "`git ralph log --all --status " + status + "` lists them"}
	case status != "all" && !slices.Contains(taskStatuses(), status):
		return cmdline.Usage(c, "invalid status %q: want %s or all", status, strings.Join(taskStatuses(), ", "))
	case taskOrder(o.sort) == nil:
		return cmdline.Usage(c, "invalid sort key %q: want work, created, priority, name or id", o.sort)
	case o.limit < 0:
		return cmdline.Usage(c, "invalid limit %d: want 0 or more", o.limit)
	case o.filter.blocked && o.filter.ready:
		return cmdline.Usage(c, "--blocked and --ready exclude each other")
	case o.tree && o.format == cmdline.FormatJSON:
		return cmdline.Usage(c, "--tree is text: it cannot be combined with JSON")
	}
	return nil
}

func (o taskListOptions) run(ctx context.Context, env *term.Env) error {
	v, err := o.source.View(ctx, env)
	if err != nil {
		return err
	}
	s := v.State()
	tasks := slices.DeleteFunc(s.Tasks(), func(r *plan.Record) bool { return !o.filter.matches(s, r) })
	taskOrder(o.sort)(tasks)
	if o.limit > 0 {
		tasks = tasks[:min(o.limit, len(tasks))]
	}
	switch {
	case o.tree:
		env.Page(ctx, func(env *term.Env) { s.ShowTree(env, tasks) })
	case o.format.Json(env):
		env.WriteJSON(func(w term.Sink) { s.WriteTaskList(w, tasks) })
	default:
		env.Page(ctx, func(env *term.Env) { s.ShowTasks(env, tasks) })
	}
	return v.Invalid()
}

const aboutTaskList = `Lists tasks: pending ones in the order of work, then done ones, the oldest first,
then those of a state that is neither.
Filters combine. --tree prints what each task waits for below it.

Where standard output is not a terminal it is a JSON array, in which each task has
its own fields and "blocked_by". Works in any stage. ` + "`" + `git ralph list` + "`" + ` is a short form.
` + planio.QueryExits + `
EXAMPLES
  git ralph task list
  git ralph task list --ready --json | jq -r '.[0].id'
  git ralph task list --search parser --sort -created --limit 5
  git ralph task list --tree --status pending
  git ralph task list --status done --rev main`
