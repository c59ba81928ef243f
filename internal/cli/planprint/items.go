package planprint

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// Items returns the items of a plan as readers see them, the oldest first: while a task is claimed, its items are in the state of
// its lock, and an epic is done when its sub-items are.
func Items(p *plan.Plan, c Claims) []*plan.Record {
	records, shown := p.Of(plan.KindItem), pipeline.Shown(p, c.Claimed())
	items := make([]*plan.Record, len(records))
	for i := range records {
		if state := shown[records[i].ID()]; state != "" {
			records[i] = withState(records[i], state)
		}
		items[i] = &records[i]
	}
	slices.SortStableFunc(items, plan.CompareAge)
	return items
}

// withState returns an item with another state.
func withState(item plan.Record, state string) plan.Record {
	members := item.Object().Members()
	members = slices.DeleteFunc(members, func(m jsonl.Member) bool { return m.Name == "state" })
	return plan.MakeRecord(plan.KindItem, append(members, jsonl.Member{Name: "state", Value: jsonl.Quote(state)}))
}

// ShowItems lists items for people: id, number, state, estimate, what blocks them, labels, name.
func ShowItems(env *term.Env, items []*plan.Record) {
	var t term.Table
	for _, r := range items {
		number := ""
		if r.Number() > 0 {
			number = r.ItemLabel()
		}
		waits := ""
		if blockers := r.Texts("blocked_by"); len(blockers) > 0 {
			waits = "waits for " + strings.Join(blockers, ", ")
		}
		t.Add(
			term.Cell{Text: r.ID(), Style: term.Cyan}, term.Cell{Text: number, Style: term.Cyan}, term.Cell{Text: cmp.Or(r.Text("state"), "no state"), Style: itemStyle(r)},
			term.Cell{Text: r.Text("estimate"), Style: term.PlainStyle}, term.Cell{Text: waits, Style: term.Faint},
			term.Cell{Text: strings.Join(r.Texts("labels"), ","), Style: term.Faint}, term.Cell{Text: term.FirstLineOf(r.Name()), Style: term.PlainStyle},
		)
	}
	t.Write(env)
	if len(items) == 0 {
		env.Hint("no matching items")
	}
}

func itemStyle(r *plan.Record) term.Style {
	switch r.Text("state") {
	case plan.StateHumanNeeded:
		return term.Yellow
	case "Done":
		return term.Green
	case "Canceled":
		return term.Faint
	}
	return term.PlainStyle
}

// ShowItems is ShowItems for every item.
func (s State) ShowItems(env *term.Env) { ShowItems(env, Items(s.Plan, s.Claims)) }
