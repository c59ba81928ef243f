package plancmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// taskAddOptions describe new tasks, by flags and words or by JSON.
type taskAddOptions struct {
	planio.Mutation
	args   []string
	fields members
	strict bool
}

func newTaskAdd(env *term.Env) *cli.Command {
	own := append(textFlags(taskTexts()),
		cmdline.Completes(&cli.StringSliceFlag{Name: "dep", Usage: "a task or issue `ID` that it waits for; may be repeated"}, anyIDs()),
		cmdline.Completes(&cli.StringSliceFlag{Name: "label", Usage: "a `LABEL`; may be repeated"}, labels()),
		&cli.StringSliceFlag{Name: "check", Usage: "a `COMMAND` line that proves that it is done; may be repeated"},
		metaFlag(),
		&cli.BoolFlag{Name: "strict", Usage: "refuse tasks whose acceptance criteria cannot be checked"},
		&cli.StringFlag{Name: "id", Usage: "its `ID`, such as t-1a2b, instead of a random one"},
	)
	return &cli.Command{
		Name: "add", Usage: "add tasks", Category: cmdline.ShortForm, ArgsUsage: "NAME… | JSON… | -",
		Description: aboutTaskAdd, Flags: planio.MutationFlags(own...),
		Action: cmdline.Action(env, taskAddFrom, taskAddOptions.run),
	}
}

func taskAddFrom(c *cli.Context) (taskAddOptions, error) {
	fields, err := textsFrom(c, plan.KindTask, taskTexts())
	o := taskAddOptions{Mutation: planio.MutationFrom(c), args: c.Args().Slice(), fields: fields, strict: c.Bool("strict")}
	if err != nil {
		return o, err
	}
	if areBlank(o.args) && !c.IsSet("name") {
		return o, cmdline.Usage(c, "missing name: want what to do, or - to read JSON from standard input")
	}
	if id := c.String("id"); c.IsSet("id") {
		if !plan.ValidID(plan.KindTask, id) {
			return o, cmdline.Usage(c, "invalid --id %q: want t- and lower-case letters, digits and hyphens", id)
		}
		o.fields.set("id", id)
	}
	o.fields.setList("deps", idsFrom(c, "dep"))
	o.fields.setList("labels", c.StringSlice("label"))
	o.fields.setChecks(c.StringSlice("check"))
	meta, err := metaFrom(c)
	o.fields.setMeta(meta)
	return o, err
}

func (o taskAddOptions) run(ctx context.Context, env *term.Env) error {
	tasks, err := o.tasks(env)
	if err != nil {
		return err
	}
	var vague []string
	err = o.Mutation.Run(ctx, env, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		change, err := p.AddTasks(filled(tasks, o.fields), in.Stamp)
		if vague = change.VagueTasks(); err == nil && o.strict && len(vague) > 0 {
			err = fmt.Errorf("%w: %s", errVague, strings.Join(term.FirstOf(vague), "\n"))
		}
		return change, err
	})
	if err == nil && len(tasks) > 1 { // the author of a single task knows
		env.WarnAll(vague)
	}
	return err
}

var errVague = errors.New("nobody could check whether this is done")

// tasks returns the input, before the flags fill in the rest.
func (o taskAddOptions) tasks(env *term.Env) ([]jsonl.Object, error) {
	g, err := readRecordInput(env, plan.KindTask, o.args)
	if err != nil {
		return nil, err
	}
	if g.json {
		return g.tasks(o.fields)
	}
	var name members
	if g.words != "" {
		name.set("name", g.words)
		if o.fields.has("name") {
			return nil, &cmdline.UsageError{Text: "the name is given twice, as words and with --name", Command: "git ralph task add"}
		}
	}
	return []jsonl.Object{name.object()}, nil
}

// tasks checks tasks that were given as JSON against the flags beside them.
func (g recordInput) tasks(flags members) ([]jsonl.Object, error) {
	if len(g.objects) == 0 {
		return nil, &cmdline.NothingError{Text: "no task was given"}
	}
	for _, name := range [...]string{"name", "id"} {
		if flags.has(name) {
			return nil, &cmdline.UsageError{Text: "--" + name + " cannot be used with tasks in JSON", Command: "git ralph task add"}
		}
	}
	return g.objects, nil
}

// filled returns objects with fields added to each that lacks them.
func filled(objects []jsonl.Object, fields members) []jsonl.Object {
	all := make([]jsonl.Object, len(objects))
	for i, o := range objects {
		all[i] = fields.fillIn(o)
	}
	return all
}

const aboutTaskAdd = `Adds a task, whose name are the words of the line, or several tasks given as JSON:
an object, an array, or one object a line, as arguments or with - on standard
input. All of them are added, or none, in one commit. They may wait for each
other: "deps" may hold the "id" that another one of them has, which need not be a
real id then. Flags fill in what the JSON leaves out, --meta each member by itself.
Of several tasks, those whose acceptance criteria nobody could check are listed;
with --strict nothing is added then.
No terminal is needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph task add Write the parser --accept "go test ./parser passes"
  git ralph task add "Wire it up" --dep t-1a2b --priority high
  git ralph task add - < tasks.jsonl
  git ralph task add '[{"id": "a", "name": "Lexer"}, {"name": "Parser", "deps": ["a"]}]'`
