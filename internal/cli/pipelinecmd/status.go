package pipelinecmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// statusOptions say which items of which plan to show.
type statusOptions struct {
	source planio.Source
	format cmdline.Format
	items  []string // all where there are none
}

func newStatus(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "show items, their tasks, who works on them and what they wait for", ArgsUsage: "[ITEM…]",
		Description:  aboutStatus,
		Flags:        append(planio.SourceFlags(), cmdline.FormatFlags()...),
		BashComplete: cmdline.CompletesArgs(planio.ItemIDs()),
		Action: cmdline.Action(env, func(c *cli.Context) (statusOptions, error) {
			source, err := planio.SourceFrom(c)
			return statusOptions{source, cmdline.FormatFrom(c), c.Args().Slice()}, err
		}, statusOptions.run),
	}
}

func (o statusOptions) run(ctx context.Context, env *term.Env) error {
	v, err := o.source.View(ctx, env)
	if err != nil {
		return err
	}
	ids, err := v.Plan.ResolveIDs(plan.KindItem, o.items)
	if err != nil {
		return err
	}
	holders := map[string]string{}
	for id := range v.Claims.Claimed() {
		holders[id] = planprint.HolderText(v.Claims.Held[id])
	}
	s, err := pipeline.StatusOf(v.Plan, ids, holders)
	if err != nil {
		return err
	}
	return printAnswer(ctx, env, v, o.format, statusAnswer{s})
}

// statusAnswer is what `git ralph pipeline status` prints.
type statusAnswer struct{ pipeline.Status }

func (s statusAnswer) show(env *term.Env) {
	if len(s.Items) == 0 {
		env.Hint("there are no items")
	}
	for _, it := range s.Items {
		showItem(env, it, "")
	}
}

// maxIndent is how far sub-items of sub-items are indented.
const maxIndent = 40

// showItem prints an item, and below it its tasks and its sub-items.
func showItem(env *term.Env, it *pipeline.ItemStatus, indent string) {
	state := string(it.State)
	if state == "" {
		state = "no state"
	}
	line := []term.Cell{
		{Text: indent}, {Text: it.Number.String(), Style: term.Cyan}, {Text: term.Gap}, {Text: state, Style: term.Strong}, {Text: term.Gap + term.FirstLineOf(it.Title)},
	}
	if it.Primary != nil && it.Number != *it.Primary {
		line = append(line, term.Cell{Text: "  with " + it.Primary.String(), Style: term.Faint})
	}
	env.PrintWrapped(term.FieldIndent, line...)
	for _, t := range it.Tasks {
		env.PrintWrapped(term.FieldIndent, taskLine(t, indent+"  ")...)
	}
	if len(indent) < maxIndent {
		indent += "  "
	}
	for _, sub := range it.SubItems {
		showItem(env, sub, indent)
	}
}

// firstOf lists ids, of which a large group's plan waits for hundreds. The JSON has all.
func firstOf(ids []string) string {
	const maxNamed = 5
	list := strings.Join(ids[:min(len(ids), maxNamed)], ", ")
	if more := len(ids) - maxNamed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

func taskLine(t pipeline.TaskStatus, indent string) []term.Cell {
	status, look := t.Status, term.PlainStyle
	switch t.Status {
	case pipeline.TaskWaiting:
		status, look = "waits for "+firstOf(t.WaitsFor), term.Faint
	case pipeline.TaskClaimed:
		status, look = "claimed by "+string(t.Holder), term.Yellow
	case pipeline.TaskAwaiting:
		look = term.Yellow
	case pipeline.TaskDone:
		look = term.Green
	}
	return []term.Cell{
		{Text: indent + fmt.Sprintf("%-9s", t.Phase), Style: term.Faint}, {Text: term.Gap}, {Text: t.ID, Style: term.Cyan}, {Text: term.Gap}, {Text: status, Style: look},
	}
}

const aboutStatus = `Shows items with their tasks, and sub-items below what they are parts of: the state of
each, who works on a task, and what it waits for. The tasks of a group are shown
with its first item. While a task is claimed, its items are shown in the state of
that work. Where standard output is not a terminal it is JSON:

  {"items": [{"id", "number", "title", "state", "estimate", "groupPrimary",
   "tasks": [{"id", "phase", "name", "role", "status", "waitsFor", "holder",
   "stream"}], "subItems": […]}]}

The status of a task is ready, waiting, claimed, awaiting approval, or done. A task
that waits for an item waits for a person, who is needed there. An item without a
number on GitHub has its id for a number.
` + planio.QueryExits + `
EXAMPLES
  git ralph pipeline status
  git ralph pipeline status GH-42 --json | jq '.items[].tasks[].status'`
