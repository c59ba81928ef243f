package plancmd

import (
	"context"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// NewItem is `git ralph item` with its subcommands.
func NewItem(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "item", Usage: "add, edit, move and list the items of the pipeline",
		Description: `An item is something that is wanted, such as an issue at GitHub. It goes from the
backlog through research, plan, review and work until it is done. Items are not
work by themselves: they have no part in the stage and in what comes next.

An item is named by its id, which may be shortened as long as it is unambiguous,
or by its number: GH-42, #42 or 42.

EXIT STATUS
  2  the command line is wrong
  Every command lists its own.

EXAMPLES
  git ralph item add Receipts in the language of the customer --number 42
  git ralph item move GH-42 Research Needed`,
		Subcommands: []*cli.Command{newItemAdd(env), newItemEdit(env), newItemMove(env), newItemList(env), newItemShow(env)},
	}
}

// itemTexts returns the fields of items that hold text and can be edited, the name last: item add takes it as arguments.
func itemTexts() []textField {
	return []textField{
		{"desc", "desc", "the whole description: `TEXT`", false, nil},
		{"estimate", "estimate", "`SIZE`: XS, S, M, L or XL", false, cmdline.OneOf(plan.Estimates()...)},
		{"parent", "parent", "the `ITEM` that it is a part of", false, planio.ItemIDs()},
		{"url", "url", "where it is on the web: `URL`", false, nil},
		{"name", "name", "what is wanted, in a few words: `TEXT`", true, nil},
	}
}

func itemNumberFlag() cli.Flag {
	return &cli.IntFlag{Name: "number", Usage: "the `NUMBER` that GitHub gave it"}
}

// setItemNumber sets the number that a command line gives to an item.
func (m *members) setItemNumber(c *cli.Context) error {
	if !c.IsSet("number") {
		return nil
	}
	field := jsonl.Member{Name: "number", Value: jsonl.Value(strconv.Itoa(c.Int("number")))}
	if err := plan.CheckField(plan.KindItem, field); err != nil {
		return cmdline.Usage(c, "%v", err)
	}
	*m = append(*m, field)
	return nil
}

// itemAddOptions describe new items, by flags and words or by JSON.
type itemAddOptions struct {
	planio.Mutation
	args   []string
	fields members
}

// itemAddTexts are the fields that a new item gets by flags. Later moves set its state.
func itemAddTexts() []textField {
	texts := itemTexts()
	return append(texts[:len(texts)-1], textField{"state", "state", "its `STATE`, Backlog unless it is given", false, cmdline.OneOf(plan.ItemStates()...)})
}

func newItemAdd(env *term.Env) *cli.Command {
	own := append(textFlags(itemAddTexts()), itemNumberFlag(),
		cmdline.Completes(&cli.StringSliceFlag{Name: "blocked-by", Usage: "an `ITEM` that it waits for; may be repeated"}, planio.ItemIDs()),
		cmdline.Completes(&cli.StringSliceFlag{Name: "file", Usage: "a `FILE` that will be modified; may be repeated"}, cmdline.Files),
		cmdline.Completes(&cli.StringSliceFlag{Name: "label", Usage: "a `LABEL`; may be repeated"}, labels()),
		metaFlag(),
	)
	return &cli.Command{
		Name: "add", Usage: "add items", ArgsUsage: "NAME… | JSON… | -",
		Description: `Adds an item named by the words of the line, or several given as JSON: an object,
an array, or one object a line, as arguments or with - on standard input. All of
them are added, or none, in one commit. No terminal and no spec are needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph item add Receipts in the language of the customer --estimate S
  git ralph item add Sum the basket --number 42 --blocked-by GH-41 --file basket.go
  git ralph item add - < items.jsonl`,
		Flags:  planio.MutationFlags(own...),
		Action: cmdline.Action(env, itemAddFrom, itemAddOptions.run),
	}
}

func itemAddFrom(c *cli.Context) (itemAddOptions, error) {
	o := itemAddOptions{Mutation: planio.MutationFrom(c), args: c.Args().Slice()}
	if areBlank(o.args) {
		return o, cmdline.Usage(c, "missing name: want what is wanted, or - to read JSON from standard input")
	}
	var err error
	if o.fields, err = textsFrom(c, plan.KindItem, itemAddTexts()); err != nil {
		return o, err
	}
	if err := o.fields.setItemNumber(c); err != nil {
		return o, err
	}
	o.fields.setList("blocked_by", idsFrom(c, "blocked-by"))
	o.fields.setList("files", c.StringSlice("file"))
	o.fields.setList("labels", c.StringSlice("label"))
	meta, err := metaFrom(c)
	o.fields.setMeta(meta)
	return o, err
}

func (o itemAddOptions) run(ctx context.Context, env *term.Env) error {
	g, err := readRecordInput(env, plan.KindItem, o.args)
	if err != nil {
		return err
	}
	if g.words != "" {
		var name members
		name.set("name", g.words)
		g.objects = []jsonl.Object{name.object()}
	}
	if len(g.objects) == 0 {
		return &cmdline.NothingError{Text: "no item was given"}
	}
	return o.Mutation.Run(ctx, env, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.AddItems(filled(g.objects, o.fields), in.Stamp)
	})
}

func newItemEdit(env *term.Env) *cli.Command {
	list := func(flag, placeholder, what string, values cmdline.Values) []cli.Flag {
		return []cli.Flag{
			cmdline.MayBeEmpty(cmdline.Completes(&cli.StringSliceFlag{Name: flag, Usage: what + " this `" + placeholder + "` and no other; may be repeated"}, values)),
			cmdline.Completes(&cli.StringSliceFlag{Name: "add-" + flag, Usage: what + " this `" + placeholder + "` too; may be repeated"}, values),
			cmdline.Completes(&cli.StringSliceFlag{Name: "remove-" + flag, Usage: "no longer " + what + " this `" + placeholder + "`; may be repeated"}, values),
		}
	}
	own := slices.Concat(editTextFlags(itemTexts()), []cli.Flag{itemNumberFlag()},
		list("blocked-by", "ITEM", "wait for", planio.ItemIDs()), list("file", "FILE", "modify", cmdline.Files))
	return &cli.Command{
		Name: "edit", Usage: "change an item's fields", ArgsUsage: "ITEM [JSON | -]",
		Description: `Changes fields of an item, as task edit does those of a task: by flags, by a JSON
object, or, without a field on a terminal, in your editor. ` + "`git ralph item move`" + `
changes its state.
` + planio.MutationExits + `
EXAMPLES
  git ralph item edit GH-42 --estimate M --add-file basket.go
  git ralph item edit w-7g8h --parent GH-40 --remove-blocked-by GH-41`,
		Flags:        planio.MutationFlags(editFlags(own...)...),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(planio.ItemIDs())),
		Action:       cmdline.Action(env, itemEditFrom, editOptions.run),
	}
}

func itemEditFrom(c *cli.Context) (editOptions, error) {
	o, err := editFrom(c, plan.KindItem, itemTexts())
	if err != nil {
		return o, err
	}
	for _, l := range []listEdit{
		{"blocked_by", idsFrom(c, "add-blocked-by"), idsFrom(c, "remove-blocked-by")},
		{"files", c.StringSlice("add-file"), c.StringSlice("remove-file")},
	} {
		if len(l.add)+len(l.remove) > 0 {
			o.lists = append(o.lists, l)
		}
	}
	if c.IsSet("blocked-by") {
		o.fields.setList("blocked_by", idsFrom(c, "blocked-by"))
	}
	if c.IsSet("file") {
		o.fields.setList("files", slices.DeleteFunc(c.StringSlice("file"), cmdline.IsBlank))
	}
	return o, o.fields.setItemNumber(c)
}
