package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/plan"
)

// taskListOptions say which tasks to list.
type taskListOptions struct {
	source  source
	format  format
	status  string // "pending", "done" or "all"
	spec    string // "" for every spec
	blocked bool   // only those that wait
	ready   bool   // only those that can be done now
}

func newTaskList(env *Env) *cli.Command {
	own := []cli.Flag{
		&cli.StringFlag{Name: "status", Value: "all", Usage: "only `STATUS`: pending, done or all"},
		&cli.StringFlag{Name: "spec", Usage: "only tasks of the spec `FILE`"},
		&cli.BoolFlag{Name: "blocked", Usage: "only tasks that wait for others"},
		&cli.BoolFlag{Name: "ready", Usage: "only pending tasks that wait for nothing"},
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
		source: source, format: formatFrom(c), status: c.String("status"), spec: c.String("spec"),
		blocked: c.Bool("blocked"), ready: c.Bool("ready"),
	}
	if err == nil {
		err = atMost(c, 0)
	}
	switch {
	case err != nil:
	case o.status != "pending" && o.status != "done" && o.status != "all":
		err = usage(c, "--status %s: expected pending, done or all", o.status)
	case o.blocked && o.ready:
		err = usage(c, "--blocked and --ready exclude each other")
	}
	return o, err
}

func (o taskListOptions) run(ctx context.Context, env *Env) error {
	v, err := o.source.view(ctx, env)
	if err != nil {
		return err
	}
	s, tasks := v.state(), []*plan.Record(nil)
	for _, r := range s.Tasks() {
		if o.wants(s, r) {
			tasks = append(tasks, r)
		}
	}
	if o.format.json(env) {
		env.writeJSON(func(w sink) { s.writeTaskList(w, tasks) })
	} else {
		env.page(ctx, func(env *Env) { s.showTasks(env, tasks) })
	}
	return v.invalid()
}

func (o taskListOptions) wants(s state, r *plan.Record) bool {
	waits := len(s.BlockedBy(r)) > 0
	switch {
	case o.status != "all" && o.status != r.State():
		return false
	case o.spec != "" && o.spec != r.Spec():
		return false
	case o.blocked:
		return waits
	case o.ready:
		return !waits && r.Pending()
	}
	return true
}

// showTasks lists tasks for people: id, state, priority, name.
func (s state) showTasks(env *Env, tasks []*plan.Record) {
	var t table
	for _, r := range tasks {
		word, look := s.taskState(r)
		name := firstLineOf(r.Name())
		t.add(cell{r.ID(), cyan}, cell{word, look}, cell{r.Text("priority"), plainStyle}, cell{s.otherSpec(r), faint}, cell{name, plainStyle})
	}
	t.write(env)
	if len(tasks) == 0 {
		env.hint("there is no such task")
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
Where standard output is no terminal it is a JSON array, in which each task has its
own fields and "blocked_by". Works in any stage.
` + queryExits + `
EXAMPLES
  git ralph task list
  git ralph task list --ready --json | jq -r '.[0].id'
  git ralph task list --status done --rev main`
