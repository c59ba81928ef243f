package view

import (
	"sync"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// cards makes the cards of data.
type cards struct {
	*facts
	data *Data
}

// facts are what cards need to know of a whole plan and its claims.
type facts struct {
	rejected map[string]int          // rejected attempts, by task
	items    map[string]*plan.Record // by id
	states   map[string]string       // that readers see of items, where it is not their own
	tasks    map[string]itemTask     // of items, by id
	workers  map[string]string       // who works on items
	awaiting map[string]bool         // items whose plans wait for a person's approval
}

// An itemTask is what the pipeline says of a task.
type itemTask struct {
	item   string // what people call its item
	awaits bool   // a person's approval
}

// A factsOnce finds out the facts once for all data with the same plan and claims.
type factsOnce struct {
	sync.Once
	facts *facts
}

// newCards returns what makes the cards.
func newCards(d *Data) cards {
	if d.once == nil {
		return cards{factsOf(d), d}
	}
	d.once.Do(func() { d.once.facts = factsOf(d) })
	return cards{d.once.facts, d}
}

func factsOf(d *Data) *facts {
	f := &facts{rejected: map[string]int{}, items: map[string]*plan.Record{}}
	records := d.Plan.Records()
	for i := range records {
		switch r := &records[i]; r.Kind() {
		case plan.KindReject:
			f.rejected[r.ID()]++
		case plan.KindItem:
			f.items[r.ID()] = r
		}
	}
	if len(f.items) > 0 {
		f.readItems(d)
	}
	return f
}

// readItems reads what the pipeline says of items and their tasks.
func (f *facts) readItems(d *Data) {
	holders, claimed := map[string]string{}, map[string]bool{}
	for id, h := range d.Claims {
		if !d.Abandoned[id] {
			holders[id], claimed[id] = holderOf(h), true
		}
	}
	f.states, f.tasks, f.workers, f.awaiting = pipeline.Shown(d.Plan, claimed), map[string]itemTask{}, map[string]string{}, map[string]bool{}
	for _, t := range pipeline.TasksOf(d.Plan) {
		id := t.ID()
		awaits := t.Step == pipeline.StepReview && t.Awaits()
		f.tasks[id] = itemTask{item: f.items[t.Item].ItemLabel(), awaits: awaits}
		if awaits && t.Pending() {
			for _, item := range t.Items() {
				f.awaiting[item] = true
			}
		}
		if !t.Pending() || holders[id] == "" {
			continue
		}
		for _, item := range t.Items() {
			f.workers[item] = holders[id]
		}
	}
}

// stateOf returns the state of an item, as readers see it.
func (f *facts) stateOf(item *plan.Record) string {
	if state := f.states[item.ID()]; state != "" {
		return state
	}
	return item.Text("state")
}
