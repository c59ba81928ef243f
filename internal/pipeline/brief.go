package pipeline

import (
	"slices"

	"git-ralph/internal/plan"
)

// A Brief is what whoever does tasks of items has to know: the items, and what was written for them.
type Brief struct {
	Task
	Items     []plan.Record // that the tasks are for, but for epics
	Documents []Document    // in the order of the steps
	Plan      plan.Record   // of a review: the task of the plan that it is about
	primary   *Item
}

// A Document is a file that a step of the pipeline has written.
type Document struct {
	Step  Step
	Path  string
	Items []Ref
}

// BriefOf returns what is to be known for tasks of a plan, of which the first one is to be done. Tasks of no item add nothing.
func BriefOf(p *plan.Plan, tasks ...plan.Record) Brief {
	b := newBuilder(p, nil)
	var brief Brief
	var of set
	for i, r := range tasks {
		t, found := b.items.taskOf(&r)
		if !found {
			continue
		}
		if i == 0 {
			brief.Task, brief.primary = t, b.items.byID[t.Item]
		}
		for _, id := range t.Items() {
			for _, leaf := range b.items.leaves(b.items.byID[id]) {
				of.add(leaf)
			}
		}
		if t.Step == StepSplit {
			of.add(b.items.byID[t.Item])
		}
	}
	for _, it := range dependencyOrder(of.items) {
		item, _ := p.Item(it.ID)
		brief.Items = append(brief.Items, item)
		brief.add(item, it.Ref())
	}
	slices.SortStableFunc(brief.Documents, func(a, b Document) int { return a.Step.place() - b.Step.place() })
	if brief.Step == StepReview {
		if of := b.planOf(&brief.Task); of != nil {
			brief.Plan = of.Record
		}
	}
	return brief
}

// add adds the documents of an item. Items with one plan have it in common.
func (b *Brief) add(item plan.Record, ref Ref) {
	for _, step := range Steps() {
		name := artifactOf(item, step)
		at := slices.IndexFunc(b.Documents, func(d Document) bool { return d.Step == step && d.Path == name })
		switch {
		case name == "":
		case at < 0:
			b.Documents = append(b.Documents, Document{step, name, []Ref{ref}})
		default:
			b.Documents[at].Items = append(b.Documents[at].Items, ref)
		}
	}
}

// artifactOf returns the path of the document that a step has written for an item, "" for none.
func artifactOf(item plan.Record, step Step) string {
	v, _ := item.Get("artifacts")
	return textIn(v.Object(), string(step))
}
