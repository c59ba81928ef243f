package cli

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"
)

// queryOptions say what of which plan to print.
type queryOptions struct {
	source source
	format format
	forms  queryForms
}

func newQuery(env *Env) *cli.Command {
	c := newQueryOf(env, "query", "print the plan's state as JSON", aboutQuery, queryForms{printAll, state.showStatus})
	c.Subcommands = []*cli.Command{
		newQueryOf(env, "tasks", "print the tasks", aboutQueryTasks, queryForms{printTasks, state.showAllTasks}),
		newQueryOf(env, "issues", "print the open issues", aboutQueryIssues, queryForms{printIssues, state.showIssues}),
		newQueryOf(env, "stage", "print the stage, one word", aboutQueryStage, queryForms{printStage, state.showStage}),
		newQueryNext(env),
		newQueryOf(env, "conflicts", "print the records with a recorded conflict", aboutQueryConflicts, queryForms{printConflicts, state.showConflicts}),
	}
	return c
}

func newQueryNext(env *Env) *cli.Command {
	return newQueryOf(env, "next", "print what to do next", aboutQueryNext, queryForms{printNext, state.showNext})
}

// queryForms print the answer of a query: as JSON, and as text where it is asked for.
type queryForms struct {
	json func(*Env, state)
	text func(state, *Env)
}

func newQueryOf(env *Env, name, short, about string, forms queryForms) *cli.Command {
	return &cli.Command{
		Name: name, Usage: short, Description: about,
		Flags: append(sourceFlags(),
			&cli.BoolFlag{Name: "json", Hidden: true}, // the default
			&cli.BoolFlag{Name: "text", Usage: "print text instead of JSON"},
			&cli.StringFlag{Name: "format", Usage: "print `FORMAT`: json or text"},
		),
		Action: func(c *cli.Context) error {
			source, err := sourceFrom(c)
			if err == nil {
				err = atMost(c, 0)
			}
			if err != nil {
				return err
			}
			return queryOptions{source, formatFrom(c), forms}.run(c.Context, env)
		},
	}
}

// run prints. A plan in which ids stand twice is shown, and reported after it.
func (o queryOptions) run(ctx context.Context, env *Env) error {
	v, err := o.source.view(ctx, env)
	if err != nil {
		return err
	}
	if o.format == formatText {
		o.forms.text(v.state(), env)
	} else {
		o.forms.json(env, v.state())
	}
	return v.invalid()
}

func printAll(env *Env, s state) { env.writeJSON(s.writeAll) }

func printTasks(env *Env, s state) { env.writeJSON(s.writeTasks) }

func printIssues(env *Env, s state) {
	env.writeJSON(func(w sink) { writeRecords(w, s.Issues()) })
}

func printStage(env *Env, s state) { io.WriteString(env.Out, string(s.Stage())+"\n") }

func printNext(env *Env, s state) {
	env.writeJSON(func(w sink) { s.writeNext(w, s.Next()) })
}

func printConflicts(env *Env, s state) {
	env.writeJSON(func(w sink) { writeRecords(w, s.conflicts()) })
}

func (s state) showAllTasks(env *Env) { s.showTasks(env, s.Tasks()) }

func (s state) showStage(env *Env) { printStage(env, s) }

func (s state) showNext(env *Env) {
	next := s.Next()
	env.printWrapped(fieldIndent, cell{text: string(next.Action) + ": " + nextText(next)})
}

// showConflicts prints a line for each record with a recorded conflict.
func (s state) showConflicts(env *Env) {
	var t table
	for _, r := range s.conflicts() {
		t.add(cell{r.ID(), cyan}, cell{firstLineOf(r.Name()), plainStyle})
	}
	t.write(env)
	if len(t.rows) == 0 {
		env.hint("no recorded conflicts")
	}
}

const queryExits = `
EXIT STATUS
  0  done
  1  there is no repository, commit or file of that name
  2  the command line is wrong
  5  the plan is not valid; one in which only ids are used twice is shown
`

const (
	aboutQuery = `Prints the state of the plan, on a terminal indented:

  {"spec", "stage", "next", "tasks": {"pending": […], "done": […], "others": […]},
   "issues": […], "tombstones": […], "conflicts": […]}

Records are as the plan file holds them; each task also says what it waits
for, in "blocked_by". Tasks come in the order of work: those of the current spec
first, then by priority, then the oldest. The others are in a state that is
neither pending nor done: they hold nothing back. Nothing is changed, and no terminal is
needed. With --plan no repository is needed either.
` + queryExits + `
EXAMPLES
  git ralph query
  git ralph query --rev HEAD~3
  git show main:ralph/plan.jsonl | git ralph query --plan -`

	aboutQueryTasks = `Prints {"pending": […], "done": […], "others": […]}, on a terminal indented. Each
task has its own fields and "blocked_by", the ids of what it waits for. The others
are in a state that is neither pending nor done.
` + queryExits + `
EXAMPLES
  git ralph query tasks | jq -r '.pending[].id'`

	aboutQueryIssues = `Prints the open issues as an array, those of the current spec first, then the
oldest.
` + queryExits + `
EXAMPLES
  git ralph query issues`

	aboutQueryStage = `Prints the stage that the plan is in:

  PLAN         there is no plan file, or no spec
  DECOMPOSE    work on the next task was killed: it is too large
  BUILD        tasks are pending
  VERIFY       all tasks are done and wait to be accepted or rejected
  INVESTIGATE  only issues are left, or every task waits for one
  COMPLETE     nothing is left
` + queryExits + `
EXAMPLES
  git ralph query stage`

	aboutQueryNext = `Prints what is to be done next, as {"action": STAGE, "item": …}: the next task
in BUILD and DECOMPOSE, the first issue in INVESTIGATE, else null. VERIFY has
all done tasks in "items". Where every task waits for another, "stalled" says for
which.
` + queryExits + `
EXAMPLES
  git ralph query next | jq -r '.item.name'`

	aboutQueryConflicts = `Prints the records that hold a recorded conflict, as an array. Merging plans
leaves one where two sides gave a field different values: the record has one of
them, and "conflict" lists all.
` + queryExits + `
EXAMPLES
  git ralph query conflicts`
)
