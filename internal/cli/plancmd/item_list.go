package plancmd

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

// itemListOptions say which items of which plan to list.
type itemListOptions struct {
	source planio.Source
	format cmdline.Format
	states []string // none for all
	labels []string
}

func newItemList(env *term.Env) *cli.Command {
	own := []cli.Flag{
		cmdline.Completes(&cli.StringSliceFlag{Name: "state", Usage: "only items in this `STATE`; may be repeated"}, cmdline.OneOf(plan.ItemStates()...)),
		cmdline.Completes(&cli.StringSliceFlag{Name: "label", Usage: "only items with the `LABEL`; may be repeated"}, labels()),
	}
	return &cli.Command{
		Name: "list", Usage: "list items",
		Description: `Lists the items, the oldest first. Where standard output is not a terminal it is a
JSON array. Works in any stage.
` + planio.QueryExits + `
EXAMPLES
  git ralph item list
  git ralph item list --state "Plan in Review" --json | jq -r '.[].id'`,
		Flags:  slices.Concat(own, planio.SourceFlags(), cmdline.FormatFlags()),
		Action: cmdline.Action(env, itemListFrom, itemListOptions.run),
	}
}

func itemListFrom(c *cli.Context) (itemListOptions, error) {
	source, err := planio.SourceFrom(c)
	o := itemListOptions{source, cmdline.FormatFrom(c), c.StringSlice("state"), c.StringSlice("label")}
	for _, state := range o.states {
		if plan.ItemStateRank(state) == 0 {
			return o, cmdline.Usage(c, "invalid state %q: want one of %s", state, strings.Join(plan.ItemStates(), ", "))
		}
	}
	return o, err
}

func (o itemListOptions) run(ctx context.Context, env *term.Env) error {
	v, err := o.source.View(ctx, env)
	if err != nil {
		return err
	}
	items := slices.DeleteFunc(planprint.Items(v.Plan, v.Claims), func(r *plan.Record) bool { return !o.matches(r) })
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) { planprint.WriteRecords(w, items) })
	} else {
		env.Page(ctx, func(env *term.Env) { planprint.ShowItems(env, items) })
	}
	return v.Invalid()
}

func (o itemListOptions) matches(r *plan.Record) bool {
	if len(o.states) > 0 && !slices.Contains(o.states, r.Text("state")) {
		return false
	}
	has := r.Texts("labels")
	return !slices.ContainsFunc(o.labels, func(label string) bool { return !slices.Contains(has, label) })
}
