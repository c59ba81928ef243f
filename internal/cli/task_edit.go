package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// taskEditOptions say what changes in a task.
type taskEditOptions struct {
	mutation
	id          string
	args        []string // fields as JSON, or "-"
	fields      members
	meta        members
	add, remove []string // dependencies
}

func newTaskEdit(env *Env) *cli.Command {
	own := append(textFlags(taskTexts()),
		&cli.StringSliceFlag{Name: "dep", Usage: "wait for this `ID` and no other; may be repeated"},
		&cli.StringSliceFlag{Name: "add-dep", Usage: "wait for this `ID` too; may be repeated"},
		&cli.StringSliceFlag{Name: "remove-dep", Usage: "no longer wait for this `ID`; may be repeated"},
		metaFlag(),
	)
	return &cli.Command{
		Name: "edit", Usage: "change a task's fields", ArgsUsage: "ID [JSON | -]",
		Description: aboutTaskEdit, Flags: mutationFlags(own...),
		Action: func(c *cli.Context) error {
			o, err := taskEditFrom(c)
			if err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

func taskEditFrom(c *cli.Context) (taskEditOptions, error) {
	meta, err := metaFrom(c)
	o := taskEditOptions{
		mutation: mutationFrom(c), id: c.Args().First(), args: c.Args().Tail(), fields: textsFrom(c, taskTexts()),
		meta: meta, add: idsFrom(c, "add-dep"), remove: idsFrom(c, "remove-dep"),
	}
	if c.IsSet("dep") {
		o.fields.setList("deps", idsFrom(c, "dep"))
	}
	changes := len(o.args) + len(o.fields) + len(meta) + len(o.add) + len(o.remove)
	switch {
	case err != nil:
	case o.id == "":
		err = usage(c, "which task? give its id")
	case changes == 0:
		err = usage(c, "what is to change? give a field, such as --name TEXT")
	}
	return o, err
}

func (o taskEditOptions) run(ctx context.Context, env *Env) error {
	fromJSON, err := o.fromJSON(env)
	if err != nil {
		return err
	}
	return o.mutation.run(ctx, env, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		id, err := oneTask(p, o.id)
		if err != nil {
			return plan.Change{}, err
		}
		fields := append(slices.Clone(fromJSON), o.fields...)
		if len(o.add)+len(o.remove) > 0 {
			fields.setList("deps", o.deps(p, id, fields))
		}
		return p.Edit(id, fields, o.meta)
	})
}

// fromJSON reads fields that were given as an object. Null clears one.
func (o taskEditOptions) fromJSON(env *Env) (members, error) {
	g, err := env.readGiven(o.args)
	if err != nil || len(o.args) == 0 {
		return nil, err
	}
	if len(g.objects) != 1 {
		return nil, &usageError{text: "expected the fields as one JSON object", command: "git ralph task edit"}
	}
	fields := members(g.objects[0].Members())
	for i, f := range fields {
		if f.Value.Kind() == jsonl.Null {
			fields[i].Value = ""
		}
	}
	return fields, nil
}

// deps returns the task's dependencies after some were added and removed. The
// ones to start from are those that the same call sets, else the task's own.
func (o taskEditOptions) deps(p *plan.Plan, id string, fields members) []string {
	task, _ := p.Task(id)
	deps := task.Deps()
	for _, f := range fields {
		if f.Name == "deps" {
			deps, _ = f.Value.Strings()
		}
	}
	deps = slices.DeleteFunc(deps, func(dep string) bool {
		return slices.ContainsFunc(o.remove, func(gone string) bool { return strings.HasPrefix(dep, gone) })
	})
	return append(deps, o.add...)
}

const aboutTaskEdit = `Changes fields of a task; an empty value clears one. Any other field is set by a
JSON object, in which null clears: as an argument, or with - on standard input.
What commands manage, such as done_at, cannot be edited. Setting a field settles a
recorded conflict of it. A task in a state that is neither pending nor done is made
pending with '{"s": "p"}'. No terminal is needed.
` + mutationExits + `
EXAMPLES
  git ralph task edit t-1a2b --priority high --notes ""
  git ralph task edit t-1a2b --add-dep t-3c4d --meta owner=ann
  git ralph task edit t-1a2b '{"estimate": 3, "role": null}'`
