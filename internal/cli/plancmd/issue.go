package plancmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// NewIssue is `git ralph issue` with its subcommands.
func NewIssue(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "issue", Usage: "add, edit, close and list issues",
		Description: `An issue is something found during the work that has to be settled. Ids may be
shortened as long as they are unambiguous.

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
	planio.Mutation
	args   []string
	fields members
}

func newIssueAdd(env *term.Env) *cli.Command {
	texts := issueTexts()[:2]
	own := append(textFlags(texts), cmdline.Completes(&cli.StringSliceFlag{Name: "label", Usage: "a `LABEL`; may be repeated"}, labels()), metaFlag())
	return &cli.Command{
		Name: "add", Usage: "add issues", ArgsUsage: "TEXT… | JSON… | -",
		Description: `Adds an issue described by the words of the line, or several given as JSON: an
object, an array, or one object a line, as arguments or with - on standard input.
All of them are added, or none, in one commit. No terminal is needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph issue add The test of the parser is flaky --label ci
  git ralph issue add - < issues.jsonl`,
		Flags: planio.MutationFlags(own...),
		Action: func(c *cli.Context) error {
			if areBlank(c.Args().Slice()) {
				return cmdline.Usage(c, "missing description: want what was found, or - to read JSON from standard input")
			}
			fields, err := textsFrom(c, plan.KindIssue, texts)
			if err != nil {
				return err
			}
			o := issueAddOptions{planio.MutationFrom(c), c.Args().Slice(), fields}
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

func (o issueAddOptions) run(ctx context.Context, env *term.Env) error {
	g, err := readRecordInput(env, plan.KindIssue, o.args)
	if err != nil {
		return err
	}
	if !g.json || g.words != "" {
		var m members
		m.set("desc", g.words)
		g.objects = []jsonl.Object{m.object()}
	}
	if len(g.objects) == 0 {
		return &cmdline.NothingError{Text: "no issue was given"}
	}
	return o.Mutation.Run(ctx, env, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.AddIssues(filled(g.objects, o.fields), in.Stamp)
	})
}

// issueTexts returns the fields of issues that hold text. The description is the last: issue add takes it as
// arguments.
func issueTexts() []textField {
	return []textField{
		{"spec", "spec", "the spec `FILE` that it belongs to", true, planio.Specs},
		{"priority", "priority", "`LEVEL`: high, medium or low", false, cmdline.OneOf(plan.Priorities()...)},
		{"desc", "desc", "what was found: `TEXT`", true, nil},
	}
}

func newIssueEdit(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "edit", Usage: "change an issue's fields", ArgsUsage: "ID [JSON | -]",
		Description: `Changes fields of an issue, as task edit does those of a task: by flags, by a JSON
object, or, without a field on a terminal, in your editor.
` + planio.MutationExits + `
EXAMPLES
  git ralph issue edit i-7g8h --priority high --add-label ci
  git ralph issue edit i-7g8h --desc "The parser test fails on Windows"`,
		Flags:        planio.MutationFlags(editFlags(editTextFlags(issueTexts())...)...),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(planio.IssueIDs())),
		Action:       cmdline.Action(env, func(c *cli.Context) (editOptions, error) { return editFrom(c, plan.KindIssue, issueTexts()) }, editOptions.run),
	}
}

// issueDoneOptions say which issues to close; without ids the first one.
type issueDoneOptions struct {
	planio.Mutation
	ids      []string
	all      bool
	intoTask bool
}

func newIssueDone(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "done", Usage: "close issues", ArgsUsage: "[ID…]",
		Description: `Closes issues: they leave the plan, and tasks that waited for them are free.
Without an id it is the first one, which ` + "`git ralph query issues`" + ` lists first. With
--into-task a task takes the issue's place, and what waited for it. No terminal is
needed.
` + planio.MutationExits + `
EXAMPLES
  git ralph issue done
  git ralph issue done i-7g8h --into-task
  git ralph issue done --all`,
		Flags: planio.MutationFlags(
			&cli.BoolFlag{Name: "all", Usage: "close every issue"},
			&cli.BoolFlag{Name: "into-task", Usage: "make a task of each"},
		),
		BashComplete: cmdline.CompletesArgs(planio.IssueIDs()),
		Action: func(c *cli.Context) error {
			o := issueDoneOptions{planio.MutationFrom(c), c.Args().Slice(), c.Bool("all"), c.Bool("into-task")}
			if o.all && len(o.ids) > 0 {
				return cmdline.Usage(c, "--all and an id exclude each other")
			}
			return o.run(c.Context, env)
		},
	}
}

func (o issueDoneOptions) run(ctx context.Context, env *term.Env) error {
	return planio.SkipUnchanged(ctx, env, o.ids, []fold.Status{fold.Closed}, func(ids []string) error {
		return o.Mutation.Run(ctx, env, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			ids, err := o.issues(p, ids)
			if err != nil {
				return plan.Change{}, err
			}
			if o.intoTask {
				return p.IssuesIntoTasks(ids, in.Stamp)
			}
			return p.CloseIssues(ids)
		})
	})
}

func (o issueDoneOptions) issues(p *plan.Plan, ids []string) ([]string, error) {
	if len(ids) > 0 {
		return p.ResolveIDs(plan.KindIssue, ids)
	}
	ids = idsOf(schedule.Of(p).Issues())
	if len(ids) == 0 {
		return nil, &cmdline.NothingError{Text: "there are no issues"}
	}
	if o.all {
		return ids, nil
	}
	return ids[:1], nil
}

// issueListOptions say which plan's issues to list.
type issueListOptions struct {
	source planio.Source
	format cmdline.Format
}

func newIssueList(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list issues",
		Description: `Lists the open issues, those of the current spec first, then the oldest. Where
standard output is no terminal it is a JSON array. Works in any stage.
` + planio.QueryExits + `
EXAMPLES
  git ralph issue list`,
		Flags: append(planio.SourceFlags(), cmdline.FormatFlags()...),
		Action: func(c *cli.Context) error {
			source, err := planio.SourceFrom(c)
			if err != nil {
				return err
			}
			return issueListOptions{source, cmdline.FormatFrom(c)}.run(c.Context, env)
		},
	}
}

func (o issueListOptions) run(ctx context.Context, env *term.Env) error {
	v, err := o.source.View(ctx, env)
	if err != nil {
		return err
	}
	if o.format.Json(env) {
		printIssues(env, v.State())
	} else {
		env.Page(ctx, v.State().ShowIssues)
	}
	return v.Invalid()
}
