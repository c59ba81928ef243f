package cli

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// newIssue is the noun and its verbs.
func newIssue(env *Env) *cli.Command {
	return &cli.Command{
		Name: "issue", Usage: "add, edit, close and list issues",
		Description: `An issue is something found on the way that is to be looked into. Ids may be
shortened as long as they are clear.

EXIT STATUS
  2  the command line is wrong
  Every command lists its own.

EXAMPLES
  git ralph issue add The test of the parser is flaky`,
		Subcommands: []*cli.Command{newIssueAdd(env), newIssueEdit(env), newIssueDone(env), newIssueList(env), newIssueShow(env)},
	}
}

// issueAddOptions describe new issues, by flags and words or by JSON.
type issueAddOptions struct {
	mutation
	args   []string
	fields members
}

func newIssueAdd(env *Env) *cli.Command {
	texts := issueTexts()[:2]
	own := append(textFlags(texts), &cli.StringSliceFlag{Name: "label", Usage: "a `LABEL`; may be repeated"}, metaFlag())
	return &cli.Command{
		Name: "add", Usage: "add issues", ArgsUsage: "TEXT… | JSON… | -",
		Description: `Adds an issue described by the words of the line, or several given as JSON: an
object, an array, or one object a line, as arguments or with - on standard input.
All of them are added, or none, in one commit. No terminal is needed.
` + mutationExits + `
EXAMPLES
  git ralph issue add The test of the parser is flaky --label ci
  git ralph issue add - < issues.jsonl`,
		Flags: mutationFlags(own...),
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usage(c, "what was found? describe the issue")
			}
			o := issueAddOptions{mutationFrom(c), c.Args().Slice(), textsFrom(c, texts)}
			o.fields.setList("labels", c.StringSlice("label"))
			meta, err := metaFrom(c)
			if err != nil {
				return err
			}
			o.fields.setMeta(meta)
			return o.run(c.Context, env)
		},
	}
}

func (o issueAddOptions) run(ctx context.Context, env *Env) error {
	g, err := env.readGiven(plan.KindIssue, o.args)
	if err != nil {
		return err
	}
	if !g.json || g.words != "" {
		var m members
		m.set("desc", g.words)
		g.objects = []jsonl.Object{m.object()}
	}
	if len(g.objects) == 0 {
		return &nothingError{text: "no issue was given"}
	}
	return o.mutation.run(ctx, env, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.AddIssues(filled(g.objects, o.fields), in.Stamp)
	})
}

// issueTexts are the fields of issues that hold text; a new one has its
// description in words.
func issueTexts() []textField {
	return []textField{
		{"spec", "spec", "the spec `FILE` that it belongs to"},
		{"priority", "priority", "`LEVEL`: high, medium or low"},
		{"desc", "desc", "what was found: `TEXT`"},
	}
}

func newIssueEdit(env *Env) *cli.Command {
	return &cli.Command{
		Name: "edit", Usage: "change an issue's fields", ArgsUsage: "ID [JSON | -]",
		Description: `Changes fields of an issue, as task edit does those of a task: by flags, by a JSON
object, or, without a field on a terminal, in your editor.
` + mutationExits + `
EXAMPLES
  git ralph issue edit i-7g8h --priority high --add-label ci
  git ralph issue edit i-7g8h --desc "The parser test fails on Windows"`,
		Flags: mutationFlags(editFlags(textFlags(issueTexts())...)...),
		Action: func(c *cli.Context) error {
			o, err := editFrom(c, plan.KindIssue, issueTexts())
			if err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

// issueDoneOptions say which issues are settled; without ids the first one is.
type issueDoneOptions struct {
	mutation
	ids      []string
	all      bool
	intoTask bool
}

func newIssueDone(env *Env) *cli.Command {
	return &cli.Command{
		Name: "done", Usage: "close issues", ArgsUsage: "[ID…]",
		Description: `Closes issues: they leave the plan, and tasks that waited for them are free.
Without an id it is the first one, which ` + "`git ralph query issues`" + ` lists first. With
--into-task a task takes the issue's place, and what waited for it. No terminal is
needed.
` + mutationExits + `
EXAMPLES
  git ralph issue done
  git ralph issue done i-7g8h --into-task
  git ralph issue done --all`,
		Flags: mutationFlags(
			&cli.BoolFlag{Name: "all", Usage: "close every issue"},
			&cli.BoolFlag{Name: "into-task", Usage: "make a task of each"},
		),
		Action: func(c *cli.Context) error {
			o := issueDoneOptions{mutationFrom(c), c.Args().Slice(), c.Bool("all"), c.Bool("into-task")}
			if o.all && len(o.ids) > 0 {
				return usage(c, "--all and an id exclude each other")
			}
			return o.run(c.Context, env)
		},
	}
}

func (o issueDoneOptions) run(ctx context.Context, env *Env) error {
	return o.mutation.run(ctx, env, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		ids, err := o.issues(p)
		if err != nil {
			return plan.Change{}, err
		}
		if o.intoTask {
			return p.IssuesIntoTasks(ids, in.Stamp)
		}
		return p.CloseIssues(ids)
	})
}

func (o issueDoneOptions) issues(p *plan.Plan) ([]string, error) {
	if len(o.ids) > 0 {
		return p.ResolveAll(plan.KindIssue, o.ids)
	}
	ids := idsOf(schedule.Of(p).Issues())
	if len(ids) == 0 {
		return nil, &nothingError{text: "there is no issue"}
	}
	if o.all {
		return ids, nil
	}
	return ids[:1], nil
}

// issueListOptions say which plan's issues to list.
type issueListOptions struct {
	source source
	format format
}

func newIssueList(env *Env) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list issues",
		Description: `Lists the open issues, those of the current spec first, then the oldest. Where
standard output is no terminal it is a JSON array. Works in any stage.
` + queryExits + `
EXAMPLES
  git ralph issue list`,
		Flags: append(sourceFlags(), formatFlags()...),
		Action: func(c *cli.Context) error {
			source, err := sourceFrom(c)
			if err == nil {
				err = atMost(c, 0)
			}
			if err != nil {
				return err
			}
			return issueListOptions{source, formatFrom(c)}.run(c.Context, env)
		},
	}
}

func (o issueListOptions) run(ctx context.Context, env *Env) error {
	v, err := o.source.view(ctx, env)
	if err != nil {
		return err
	}
	if o.format.json(env) {
		printIssues(env, v.state())
	} else {
		env.page(ctx, v.state().showIssues)
	}
	return v.invalid()
}

func (s state) showIssues(env *Env) {
	var t table
	for _, r := range s.Issues() {
		text := firstLineOf(r.Name())
		t.add(
			cell{r.ID(), cyan}, cell{r.Text("priority"), plainStyle}, cell{strings.Join(r.Texts("labels"), ","), faint},
			cell{s.otherSpec(r), faint}, cell{text, plainStyle},
		)
	}
	t.write(env)
	if len(t.rows) == 0 {
		env.hint("there is no issue")
	}
}
