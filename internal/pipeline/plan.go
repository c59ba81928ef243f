package pipeline

import (
	"git-ralph/internal/plan"
)

// Of returns the items of a plan.
func Of(p *plan.Plan) *Items {
	var items []Item
	for _, r := range p.Of(plan.KindItem) {
		items = append(items, Item{
			ID: r.ID(), Number: r.Number(), Title: r.Name(), State: r.Text("state"), Estimate: r.Text("estimate"),
			Parent: r.Text("parent"), BlockedBy: r.WaitsFor(), Files: r.Texts("files"),
		})
	}
	return NewItems(items)
}
