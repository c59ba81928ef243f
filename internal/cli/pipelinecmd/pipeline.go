package pipelinecmd

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// New makes `git ralph pipeline`.
func New(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "pipeline", Usage: "follow items from an idea to merged code", Description: about,
		Subcommands: []*cli.Command{
			newQuery(env, "position", "print which phase items are in, and what they wait for", aboutPosition, position),
			newQuery(env, "streams", "print which items can be worked on at the same time", aboutStreams, streams),
			newPlan(env), newStatus(env), newApprove(env), newReject(env),
		},
	}
}

// An answer is what a command prints: a value in the form of its JSON, which also has a form for people.
type answer interface{ show(env *term.Env) }

// options say which items of which plan a command is about.
type options struct {
	source planio.Source
	format cmdline.Format
	items  []string // ids or numbers
	answer func(ctx context.Context, v planio.View, g *pipeline.Group) (answer, error)
}

func newQuery(env *term.Env, name, short, about string, answer func(context.Context, planio.View, *pipeline.Group) (answer, error)) *cli.Command {
	return &cli.Command{
		Name: name, Usage: short, ArgsUsage: "ITEM…", Description: about,
		Flags:        append(planio.SourceFlags(), cmdline.FormatFlags()...),
		BashComplete: cmdline.CompletesArgs(planio.ItemIDs()),
		Action: func(c *cli.Context) error {
			source, err := planio.SourceFrom(c)
			if err == nil {
				err = requireItems(c)
			}
			if err != nil {
				return err
			}
			return options{source, cmdline.FormatFrom(c), c.Args().Slice(), answer}.run(c.Context, env)
		},
	}
}

// run prints the answer. That from a plan that holds an id twice is shown, and its error reported after it.
func (o options) run(ctx context.Context, env *term.Env) error {
	v, err := o.source.View(ctx, env)
	if err != nil {
		return err
	}
	ids, err := v.Plan.ResolveIDs(plan.KindItem, o.items)
	if err != nil {
		return err
	}
	items := pipeline.Of(v.Plan).WithStates(pipeline.Shown(v.Plan, v.Claims.Claimed()))
	g, err := items.Group(ids...)
	if err != nil {
		return err
	}
	a, err := o.answer(ctx, v, g)
	if err != nil {
		return err
	}
	return printAnswer(ctx, env, v, o.format, a)
}

// printAnswer prints an answer from a plan, and reports what is wrong with that.
func printAnswer(ctx context.Context, env *term.Env, v planio.View, format cmdline.Format, a answer) error {
	if !format.Json(env) {
		env.Page(ctx, a.show)
		return v.Invalid()
	}
	if err := writeJSON(env, a); err != nil {
		return err
	}
	return v.Invalid()
}

// writeJSON prints a value as the other commands print JSON.
func writeJSON(env *term.Env, value any) error {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	env.WriteJSON(func(w term.Sink) { w.WriteString(term.OneLine(text.String())) }) //nolint:errcheck // as in WriteJSON
	return nil
}

const about = `Shows where items are between an idea and merged code: research, plan, review,
implement, pull request, merge. An item is named by its id or by its number on
GitHub, GH-42. Naming one item selects its group: its sub-items or else its
siblings, and what these block or are blocked by. Naming several selects exactly
those. An item with sub-items is left out: its sub-items are what is worked on.
` + planio.QueryExits + `
EXAMPLES
  git ralph pipeline plan GH-42
  git ralph pipeline status`
