package plancmd

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// editOptions say what to change in a task, an issue or an item.
type editOptions struct {
	planio.Mutation
	kind   plan.Kind
	id     string
	args   []string // fields as JSON, or "-"
	fields members
	meta   members
	lists  []listEdit
}

// A listEdit says what to add to a list, such as "deps", and what to remove from it.
type listEdit struct {
	field       string
	add, remove []string
}

// editFlags adds the flags of labels and of "meta" to a command's own.
func editFlags(own ...cli.Flag) []cli.Flag {
	return append(own,
		cmdline.MayBeEmpty(cmdline.Completes(&cli.StringSliceFlag{Name: "label", Usage: "this `LABEL` and no other; may be repeated"}, labels())),
		cmdline.Completes(&cli.StringSliceFlag{Name: "add-label", Usage: "add a `LABEL`; may be repeated"}, labels()),
		cmdline.Completes(&cli.StringSliceFlag{Name: "remove-label", Usage: "remove a `LABEL`; may be repeated"}, labels()),
		metaFlag(),
	)
}

// editFrom reads the flags of a command that edits a kind of record.
func editFrom(c *cli.Context, kind plan.Kind, texts []textField) (editOptions, error) {
	meta, err := metaFrom(c)
	fields, invalid := textsFrom(c, kind, texts)
	o := editOptions{
		Mutation: planio.MutationFrom(c), kind: kind, id: c.Args().First(), args: c.Args().Tail(), fields: fields, meta: meta,
		lists: []listEdit{
			{"deps", idsFrom(c, "add-dep"), idsFrom(c, "remove-dep")},
			{"labels", c.StringSlice("add-label"), c.StringSlice("remove-label")},
		},
	}
	o.lists = slices.DeleteFunc(o.lists, func(l listEdit) bool { return len(l.add)+len(l.remove) == 0 })
	if c.IsSet("dep") {
		o.fields.setList("deps", idsFrom(c, "dep"))
	}
	if c.IsSet("check") {
		o.fields.setChecks(c.StringSlice("check"))
	}
	if c.IsSet("label") {
		o.fields.setList("labels", slices.DeleteFunc(c.StringSlice("label"), cmdline.IsBlank))
	}
	if o.id == "" {
		invalid = cmdline.Usage(c, "missing id: want that of the %s", kind)
	}
	return o, cmp.Or(err, invalid)
}

func (o editOptions) isEmpty() bool {
	return len(o.args)+len(o.fields)+len(o.meta)+len(o.lists) == 0
}

func (o editOptions) run(ctx context.Context, env *term.Env) error {
	if o.isEmpty() {
		return o.runInEditor(ctx, env)
	}
	fromJSON, err := o.fromJSON(env)
	if err != nil {
		return err
	}
	return o.Mutation.Run(ctx, env, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		id, err := p.ResolveID(o.kind, o.id)
		if err != nil {
			return plan.Change{}, err
		}
		fields := append(slices.Clone(fromJSON), o.fields...)
		for _, l := range o.lists {
			fields.setList(l.field, l.withItems(p).apply(o.record(p, id), fields))
		}
		return o.edit(p, id, fields, o.meta)
	})
}

// edit changes the record in a plan.
func (o editOptions) edit(p *plan.Plan, id string, fields, meta members) (plan.Change, error) {
	switch o.kind {
	case plan.KindIssue:
		return p.EditIssue(id, fields, meta)
	case plan.KindItem:
		return p.EditItem(id, fields, meta)
	}
	return p.Edit(id, fields, meta)
}

// record returns the record that is edited.
func (o editOptions) record(p *plan.Plan, id string) (r plan.Record) {
	switch o.kind {
	case plan.KindIssue:
		r, _ = p.Issue(id)
	case plan.KindItem:
		r, _ = p.Item(id)
	default:
		r, _ = p.Task(id)
	}
	return r
}

// fromJSON reads fields that were given as an object. Null clears one.
func (o editOptions) fromJSON(env *term.Env) (members, error) {
	g, err := readRecordInput(env, o.kind, o.args)
	if err != nil || len(o.args) == 0 {
		return nil, err
	}
	if len(g.objects) != 1 {
		return nil, &cmdline.UsageError{Text: "expected the fields as one JSON object", Command: "git ralph " + string(o.kind) + " edit"}
	}
	fields := members(g.objects[0].Members())
	for i, f := range fields {
		if f.Value.Kind() == jsonl.Null {
			fields[i].Value = ""
		}
	}
	return fields, nil
}

// withItems returns the edit with the ids of items that are named by their numbers.
func (l listEdit) withItems(p *plan.Plan) listEdit {
	if l.field != "blocked_by" {
		return l
	}
	ids := func(names []string) []string {
		all := slices.Clone(names)
		for i, name := range all {
			if id, err := p.ResolveID(plan.KindItem, name); err == nil {
				all[i] = id
			}
		}
		return all
	}
	return listEdit{l.field, ids(l.add), ids(l.remove)}
}

// apply returns the list after the edit. It starts from the one that the same
// call sets, else from the record's own. An id may be shortened to be removed.
func (l listEdit) apply(r plan.Record, fields members) []string {
	list := r.Texts(l.field)
	for _, f := range fields {
		if f.Name == l.field {
			list, _ = f.Value.Strings()
		}
	}
	list = slices.DeleteFunc(slices.Clone(list), func(own string) bool {
		return slices.ContainsFunc(l.remove, func(gone string) bool {
			return own == gone || l.field == "deps" && strings.HasPrefix(own, gone)
		})
	})
	for _, text := range l.add {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
