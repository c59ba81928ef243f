package mergecmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// ResolveOptions are the command line of `git ralph resolve`.
type ResolveOptions struct {
	planio.Mutation
	id     string                                   // of a record, "spec" for the spec's; "" for all
	field  *string                                  // nil where none was given
	choose func(plan.Conflict) (plan.Choice, error) // nil where none was given
	All    bool                                     // make a valid plan of a file in conflict
	ask    bool
}

func NewResolve(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "resolve", Usage: "settle conflicts of a merge", ArgsUsage: "[ID]", Description: aboutResolve,
		Flags: planio.MutationFlags(
			cmdline.MayBeEmpty(&cli.StringFlag{Name: "field", Usage: "the `FIELD` to settle; needed where several are in conflict"}),
			&cli.IntFlag{Name: "take", Usage: "settle the field with candidate `N`"},
			cmdline.MayBeEmpty(&cli.StringFlag{Name: "value", Usage: "settle the field with another `VALUE`"}),
			&cli.BoolFlag{Name: "keep", Usage: "keep a record that one side removed"},
			&cli.BoolFlag{Name: "remove", Usage: "take a record out that one side removed"},
			&cli.BoolFlag{Name: "ask", Usage: "ask for each conflict, as on a terminal"},
			&cli.BoolFlag{Name: "all", Usage: "make a valid plan of a file in conflict"},
		),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(planio.RecordIDs(inConflict))),
		Action:       cmdline.Action(env, resolveFrom, ResolveOptions.run),
	}
}

func resolveFrom(c *cli.Context) (ResolveOptions, error) {
	o := ResolveOptions{
		Mutation: planio.MutationFrom(c), id: c.Args().First(), All: c.Bool("all"), ask: c.Bool("ask"),
	}
	if c.IsSet("field") {
		field := c.String("field")
		o.field = &field
	}
	var flags []string
	for _, name := range [...]string{"take", "value", "keep", "remove", "ask", "all"} {
		if c.IsSet(name) {
			flags = append(flags, "--"+name)
		}
	}
	switch {
	case len(flags) > 1:
		return o, cmdline.Usage(c, "%s exclude each other", strings.Join(flags, " and "))
	case o.All && (o.id != "" || o.field != nil):
		return o, cmdline.Usage(c, "--all is about the whole file: it takes no id and no field")
	case c.IsSet("take"):
		o.choose = takeCandidate(c, c.Int("take"))
	case c.IsSet("value"):
		o.choose = takeValue(c, c.String("value"))
	case c.IsSet("keep"), c.IsSet("remove"):
		if o.field != nil && *o.field != plan.Removed {
			return o, cmdline.Usage(c, "%s is about the whole record, not about a field", flags[0])
		}
		field := plan.Removed
		o.field, o.choose = &field, keepOrRemove(c.Bool("remove"))
	}
	if o.choose != nil && o.id == "" {
		return o, cmdline.Usage(c, "missing id: want that of a record, or spec")
	}
	return o, nil
}

// takeCandidate chooses a candidate by its number, from 1.
func takeCandidate(c *cli.Context, n int) func(plan.Conflict) (plan.Choice, error) {
	return func(conflict plan.Conflict) (plan.Choice, error) {
		if conflict.Field == plan.Removed {
			return plan.Choice{}, cmdline.Usage(c, "one side removed %s: give --keep or --remove", nameOf(conflict))
		}
		if n < 1 || n > len(conflict.Candidates) {
			return plan.Choice{}, cmdline.Usage(c, "--take %d: %s has candidates 1 to %d", n, conflict.Field, len(conflict.Candidates))
		}
		return choiceOf(conflict, conflict.Candidates[n-1]), nil
	}
}

// takeValue chooses a value that was typed.
func takeValue(c *cli.Context, text string) func(plan.Conflict) (plan.Choice, error) {
	return func(conflict plan.Conflict) (plan.Choice, error) {
		if conflict.Field == plan.Removed {
			return plan.Choice{}, cmdline.Usage(c, "one side removed %s: give --keep or --remove", nameOf(conflict))
		}
		v, err := typed(conflict, text)
		if err != nil {
			return plan.Choice{}, cmdline.Usage(c, "--value: %v", err)
		}
		return choiceOf(conflict, v), nil
	}
}

// keepOrRemove chooses what becomes of a record that one side removed.
func keepOrRemove(remove bool) func(plan.Conflict) (plan.Choice, error) {
	return func(conflict plan.Conflict) (plan.Choice, error) {
		choice := choiceOf(conflict, "")
		choice.Remove = remove
		return choice, nil
	}
}

// choiceOf returns the choice of a value for the field in conflict.
func choiceOf(c plan.Conflict, v jsonl.Value) plan.Choice {
	return plan.Choice{Kind: c.Kind, ID: c.ID, Field: c.Field, Value: v}
}

// typed reads a value for a field: a text where the candidates are texts, else
// JSON. Nothing clears the field.
func typed(c plan.Conflict, text string) (jsonl.Value, error) {
	isText := func(v jsonl.Value) bool { return v.Kind() == jsonl.String || v.Kind() == jsonl.Null }
	if text == "" {
		return "", nil
	}
	if !slices.ContainsFunc(c.Candidates, func(v jsonl.Value) bool { return !isText(v) }) {
		return jsonl.Quote(text), nil
	}
	if _, err := jsonl.ParseValue(text); err != nil {
		return "", fmt.Errorf("%s holds JSON, such as %s: %w", c.Field, c.Candidates[0], err)
	}
	return jsonl.Value(term.OneLine(text)), nil
}

// inConflict returns the records with a recorded conflict.
func inConflict(v planio.View) (all []*plan.Record) {
	for _, r := range v.State().Conflicts() {
		all = append(all, &r)
	}
	return all
}

func (o ResolveOptions) run(ctx context.Context, env *term.Env) error {
	if o.All {
		return o.ResolveFile(ctx, env)
	}
	if o.choose != nil {
		return o.Mutation.Run(ctx, env, o.resolveOne)
	}
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	v, conflicts, invalid := o.read(ctx, env, st)
	if conflicts == nil && invalid != nil {
		return invalid
	}
	if asks := o.ask || env.Terminal && !env.Paged && !o.Format.Json(env); !asks || invalid != nil || len(conflicts) == 0 {
		o.list(env, conflicts)
		return invalid
	}
	if v.Missing {
		return st.FileMissing()
	}
	choices, err := asker{env, v.Plan}.askAll(ctx, conflicts)
	if err != nil || len(choices) == 0 {
		return err
	}
	return o.Update(ctx, env, st, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		return p.ResolveConflicts(choices)
	}})
}

// resolveOne settles the conflict that the command line names.
func (o ResolveOptions) resolveOne(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
	conflicts, err := o.conflicts(p)
	if err != nil {
		return plan.Change{}, err
	}
	switch len(conflicts) {
	case 0:
		return plan.Change{}, &cmdline.NothingError{Text: o.id + " has no recorded conflict", Hint: "`git ralph resolve` lists those there are"}
	case 1:
	default:
		err := &cmdline.UsageError{Text: "several fields of " + nameOf(conflicts[0]) + " are in conflict", Command: "git ralph resolve"}
		err.Hint = "name one with --field: " + fieldsOf(conflicts)
		return plan.Change{}, err
	}
	choice, err := o.choose(conflicts[0])
	if err != nil {
		return plan.Change{}, err
	}
	return settleConflict(p, choice)
}

// conflicts returns those of the record and field that the command line names.
func (o ResolveOptions) conflicts(p *plan.Plan) ([]plan.Conflict, error) {
	records := planprint.StateOf(p).Conflicts()
	if o.id != "" {
		r, err := recordNamed(p, o.id)
		if err != nil {
			return nil, err
		}
		records = []plan.Record{r}
	}
	all := []plan.Conflict{}
	for _, r := range records {
		all = append(all, r.Conflicts()...)
	}
	if o.field == nil || len(all) == 0 {
		return all, nil
	}
	some := slices.DeleteFunc(slices.Clone(all), func(c plan.Conflict) bool { return c.Field != *o.field })
	if len(some) == 0 {
		text := fmt.Sprintf("no recorded conflict is in %q", *o.field)
		return nil, &cmdline.UsageError{Text: text, Hint: "there are some in " + fieldsOf(all), Command: "git ralph resolve"}
	}
	return some, nil
}

// specName names the spec's record, which has no id.
const specName = "spec"

// recordNamed finds a task, an issue, an item or the spec. Ids may be shortened.
func recordNamed(p *plan.Plan, id string) (plan.Record, error) {
	if id == specName {
		if specs := p.Of(plan.KindSpec); len(specs) > 0 {
			return specs[0], nil
		}
	}
	task, err := p.ResolveID(plan.KindTask, id)
	if err == nil {
		r, _ := p.Task(task)
		return r, nil
	}
	if _, ambiguous := errors.AsType[*plan.AmbiguousIDError](err); ambiguous {
		return plan.Record{}, err
	}
	issue, issueErr := p.ResolveID(plan.KindIssue, id)
	if _, unknown := errors.AsType[*plan.UnknownIDError](issueErr); !unknown {
		r, _ := p.Issue(issue)
		return r, issueErr
	}
	item, itemErr := p.ResolveID(plan.KindItem, id)
	if _, unknown := errors.AsType[*plan.UnknownIDError](itemErr); unknown {
		return plan.Record{}, err
	}
	r, _ := p.Item(item)
	return r, itemErr
}

// nameOf returns what the command line calls the record of a conflict.
func nameOf(c plan.Conflict) string {
	if c.Kind == plan.KindSpec {
		return specName
	}
	return c.ID
}

// fieldsOf lists the fields in conflict.
func fieldsOf(conflicts []plan.Conflict) string {
	var names []string
	for _, c := range conflicts {
		if !slices.Contains(names, c.Field) {
			names = append(names, c.Field)
		}
	}
	return strings.Join(names, ", ")
}

const aboutResolve = `Settles what a merge of plans could not decide. There are two kinds of conflict.

A recorded conflict holds the values that two sides gave one field. The plan holds one of
them and lists all; it is valid, and no work has to wait. Without a choice the
command lists them; on a terminal, or with --ask, it asks for one after the other:
a number takes a candidate, e lets you type a value, s skips it, q ends. Answers
are read from standard input, and all go into one commit when the questions end;
Ctrl-C before that changes nothing. --take, --value, --keep
and --remove settle one without asking. The spec's record is called spec. A list is
[{"t", "id", "name", "field", "value", "candidates"}] where standard output is no
terminal, or with --json.

A file in conflict is one that git could not merge with the merge driver: it has
conflict markers, or is in the index in three versions, or was changed on one
side and deleted on the other, or holds an id twice. --all makes a valid plan of
it by the rules of a merge, with no question: the very plan that the merge driver
would have made, where git still knows the versions. It stages that one file, and in
the middle of a merge, rebase or the like commits nothing; else it makes one
commit. A file that you have settled by hand is staged as it is. --all settles
the file, not choices: what is recorded as a conflict stays recorded.

EXIT STATUS
  0  done
  1  it cannot be done; nothing was changed
  2  the command line is wrong: no such candidate or field, for example
  3  there was nothing to settle
  4  another process is changing the plan
  5  the file is in conflict and --all was not given, or it cannot be read at all

EXAMPLES
  git ralph resolve
  git ralph resolve t-1a2b --take 2
  git ralph resolve t-1a2b --field notes --value "read the file once"
  git ralph resolve t-1a2b --keep
  git ralph resolve --all`
