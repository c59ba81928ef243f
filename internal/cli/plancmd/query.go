package plancmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
)

// queryOptions say which part of which plan to print.
type queryOptions struct {
	source planio.Source
	format cmdline.Format
	forms  queryForms
}

func NewQuery(env *term.Env) *cli.Command {
	c := newQueryOf(env, "query", "print the plan's state as JSON", aboutQuery, queryForms{json: printAll, text: planprint.State.ShowStatus, stage: true, landed: true})
	c.Subcommands = []*cli.Command{
		newQueryOf(env, "tasks", "print the tasks", aboutQueryTasks, queryForms{landed: true, json: printTasks, text: planprint.State.ShowAllTasks}),
		newQueryOf(env, "issues", "print the open issues", aboutQueryIssues, queryForms{json: printIssues, text: planprint.State.ShowIssues}),
		newQueryOf(env, "items", "print the items of the pipeline", aboutQueryItems, queryForms{json: printItems, text: planprint.State.ShowItems}),
		newQueryOf(env, "stage", "print the stage, one word", aboutQueryStage, queryForms{json: planprint.PrintStage, text: planprint.State.ShowStage, isText: true, stage: true}),
		newQueryNext(env),
		newQueryOf(env, "conflicts", "print the records with a recorded conflict", aboutQueryConflicts, queryForms{json: printConflicts, text: planprint.State.ShowConflicts}),
	}
	return c
}

func newQueryNext(env *term.Env) *cli.Command {
	c := newQueryOf(env, "next", "print what to do next", aboutQueryNext, queryForms{json: printNext, text: planprint.State.ShowNext, stage: true})
	c.Category = cmdline.ShortForm
	return c
}

// queryForms print the answer of a query, as JSON or as text.
type queryForms struct {
	json   func(*term.Env, planprint.State)
	text   func(planprint.State, *term.Env)
	isText bool // by default
	stage  bool // prints the stage
	landed bool // prints done tasks
}

func (f queryForms) flags() []cli.Flag {
	if f.isText {
		return cmdline.TextFormatFlags()
	}
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Hidden: true}, // the default
		&cli.BoolFlag{Name: "text", Usage: "print text instead of JSON"},
		cmdline.FormatFlag(cmdline.FormatJSON, cmdline.FormatText),
	}
}

func newQueryOf(env *term.Env, name, short, about string, forms queryForms) *cli.Command {
	return &cli.Command{
		Name: name, Usage: short, Description: about,
		Flags: append(planio.SourceFlags(), forms.flags()...),
		Action: func(c *cli.Context) error {
			source, err := planio.SourceFrom(c)
			if err != nil {
				return err
			}
			return queryOptions{source, cmdline.FormatFrom(c), forms}.run(c.Context, env)
		},
	}
}

// run prints the answer. A plan that holds an id twice is shown, and its error reported after it.
func (o queryOptions) run(ctx context.Context, env *term.Env) error {
	v, err := o.source.View(ctx, env)
	if err != nil {
		return err
	}
	s := v.State()
	if o.forms.landed && v.Worktree != nil && planio.TargetSet(ctx, v.Worktree) {
		if s.Landed, err = planio.Landed(ctx, env, v.Worktree, s.Done()); err != nil {
			env.Warn("cannot find out what has landed: " + err.Error())
		}
	}
	if o.forms.stage && v.Worktree != nil {
		planio.FindUnplanned(ctx, env, &s)
	}
	text := o.format == cmdline.FormatText || o.format == "" && o.forms.isText
	if text {
		o.forms.text(s, env)
	} else {
		o.forms.json(env, s)
	}
	if !text || o.forms.isText { // a bare word or JSON leaves no place for it
		planio.HintNotPlanned(env, s)
	}
	return v.Invalid()
}

func printAll(env *term.Env, s planprint.State) { env.WriteJSON(s.WriteAll) }

func printTasks(env *term.Env, s planprint.State) { env.WriteJSON(s.WriteTasks) }

func printIssues(env *term.Env, s planprint.State) {
	env.WriteJSON(func(w term.Sink) { planprint.WriteRecords(w, s.Issues()) })
}

func printItems(env *term.Env, s planprint.State) {
	env.WriteJSON(func(w term.Sink) { planprint.WriteRecords(w, planprint.Items(s.Plan, s.Claims)) })
}

func printNext(env *term.Env, s planprint.State) {
	env.WriteJSON(func(w term.Sink) { s.WriteNext(w, s.Next()) })
}

func printConflicts(env *term.Env, s planprint.State) {
	env.WriteJSON(func(w term.Sink) { planprint.WriteRecords(w, s.Conflicts()) })
}

const (
	aboutQuery = `Prints the state of the plan, on a terminal indented:

  {"spec", "stage", "next", "tasks": {"pending": […], "done": […], "others": […]},
   "issues": […], "tombstones": […], "conflicts": […]}

Records are as the plan file holds them; each task also says what it waits
for, in "blocked_by". Tasks come in the order of work: those of the current spec
first, then by priority, then the oldest. The others are in a state that is
neither pending nor done: they hold nothing back. Nothing is changed, and no terminal is
needed. With --plan no repository is needed either. Where ralph.target is set, a done
task also says whether that branch has it: "landed" is yes, no or unknown.
` + planio.QueryExits + `
EXAMPLES
  git ralph query
  git ralph query --rev HEAD~3
  git show main:ralph/plan.jsonl | git ralph query --plan -`

	aboutQueryTasks = `Prints {"pending": […], "done": […], "others": […]}, on a terminal indented. Each
task has its own fields and "blocked_by", the ids of what it waits for. The others
are in a state that is neither pending nor done.
` + planio.QueryExits + `
EXAMPLES
  git ralph query tasks | jq -r '.pending[].id'`

	aboutQueryIssues = `Prints the open issues as an array, those of the current spec first, then the
oldest.
` + planio.QueryExits + `
EXAMPLES
  git ralph query issues`

	aboutQueryItems = `Prints the items of the pipeline as an array, the oldest first.
` + planio.QueryExits + `
EXAMPLES
  git ralph query items | jq -r '.[] | select(.state == "Human Needed").id'`

	aboutQueryStage = `Prints the stage that the plan is in, one word; with --json {"stage"}:

  PLAN         there is no plan file, or no spec
  DECOMPOSE    work on the next task was killed: it is too large
  BUILD        tasks are pending
  VERIFY       tasks are done and wait to be accepted or rejected, and nothing else
               can go on before
  INVESTIGATE  only issues are left, or every task waits for one
  COMPLETE     nothing is left
` + planio.QueryExits + `
EXAMPLES
  git ralph query stage`

	aboutQueryNext = `Prints what is to be done next, as {"action": STAGE, "item": …}: the next task
in BUILD and DECOMPOSE, the first issue in INVESTIGATE, else null. VERIFY has
the done tasks to accept or reject in "items". Where every pending task is blocked,
"stalled" says by which; one with "no_agent" is finished by landing.
` + planio.QueryExits + `
EXAMPLES
  git ralph query next | jq -r '.item.name'`

	aboutQueryConflicts = `Prints the records that hold a recorded conflict, as an array. Merging plans
leaves one where two sides gave a field different values: the record has one of
them, and "conflict" lists all.
` + planio.QueryExits + `
EXAMPLES
  git ralph query conflicts`
)
