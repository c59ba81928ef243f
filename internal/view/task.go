package view

import (
	"slices"

	"git-ralph/internal/claim"
	"git-ralph/internal/evidence"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
)

// A Task is all about one task, issue or item.
type Task struct {
	Card
	InPlan   bool           // else the record is what it was when it left
	Fields   []jsonl.Member // of the record, in their order
	WaitsFor []Link         // what it depends on
	NeededBy []Link         // what depends on it
	Claim    *claim.Held    // nil where there is none
	Attempts []fold.Attempt // the oldest first
	Events   []Event        // the oldest first; none before the history was read

	DecomposedInto []Link // the tasks that took its place
	SupersededBy   *Link  // the task that took its place after it was rejected

	Iterations []Iteration // agents that worked on it, the oldest first
	Usage      Usage       // of those that worked on it alone
}

// A Link is a record that another one names.
type Link struct {
	ID     string
	Name   string // "" where it is in no plan that is known
	Status Status // likewise
}

// An Event is what happened to a task, with what it changed.
type Event struct {
	*fold.Event
	Fields   []plandiff.Field   // the fields that say what a record is, prose as a word diff; those of its state are what the event says
	Receipts []evidence.Receipt // of an acceptance; added by viewio.AddReceipts
}

// Task returns all about the task, issue or item of an id; ok is false where neither the plan nor the history has it.
func (d *Data) Task(id string) (t Task, ok bool) {
	made, names := newCards(d), d.names()
	life, r := names.lives[id], names.records[id]
	switch {
	case r != nil:
		t.Card, t.InPlan = made.of(r), true
		if life != nil && !life.Record.SameTask(*r) && life.Record.JSON() != "" {
			life = nil // an earlier one of the same id
		}
	case life != nil:
		t.Card = leftCard(life)
	default:
		return t, false
	}
	t.Fields = plan.FieldsOf(*t.Record)
	if h, held := d.Claims[id]; held {
		t.Claim = &h
	}
	link := func(id string) Link { return names.link(made, id) }
	t.link(d, link)
	if life != nil {
		d.addLife(&t, life, link)
	}
	d.addIterations(&t)
	return t, true
}

// names finds the records of the plan and the lives of the history by their ids.
type names struct {
	records map[string]*plan.Record
	lives   map[string]*fold.Life // the last one of each id
}

func (d *Data) names() names {
	records := d.Plan.Records()
	n := names{records: make(map[string]*plan.Record, len(records)), lives: map[string]*fold.Life{}}
	for i := range records {
		switch r := &records[i]; r.Kind() {
		case plan.KindTask, plan.KindIssue, plan.KindItem:
			n.records[r.ID()] = r
		}
	}
	if d.History != nil {
		for _, life := range d.History.Lives {
			n.lives[life.ID] = life
		}
	}
	return n
}

// link returns a record that another one names.
func (n names) link(made cards, id string) Link {
	if r := n.records[id]; r != nil {
		card := made.of(r)
		return Link{ID: id, Name: Called(card.Name()), Status: card.Status}
	}
	if life := n.lives[id]; life != nil {
		return Link{ID: id, Name: Called(life.Name), Status: leftStatus(life)}
	}
	return Link{ID: id}
}

// link sets what a task waits for, and what waits for it.
func (t *Task) link(d *Data, link func(string) Link) {
	for _, id := range t.Record.WaitsFor() {
		t.WaitsFor = append(t.WaitsFor, link(id))
	}
	records := d.Plan.Records()
	for i := range records {
		r := &records[i]
		if kind := r.Kind(); kind != plan.KindTask && kind != plan.KindItem {
			continue
		}
		if slices.Contains(r.WaitsFor(), t.ID()) {
			t.NeededBy = append(t.NeededBy, link(r.ID()))
		}
	}
}

// addLife adds what the history says.
func (d *Data) addLife(t *Task, life *fold.Life, link func(string) Link) {
	reached := d.reached()
	for _, a := range life.Attempts {
		a.Outcomes = slices.DeleteFunc(slices.Clone(a.Outcomes), func(e *fold.Event) bool { return !reached(e) })
		if a.Done == nil || reached(a.Done) {
			t.Attempts = append(t.Attempts, a)
		}
	}
	for _, e := range life.Events {
		if reached(e) {
			t.Events = append(t.Events, Event{Event: e, Fields: changedFields(e)})
		}
	}
	for _, id := range life.DecomposedInto {
		t.DecomposedInto = append(t.DecomposedInto, link(id))
	}
	if life.SupersededBy != "" {
		one := link(life.SupersededBy)
		t.SupersededBy = &one
	}
}

// changedFields returns what an event changed in a record that was there before and after it.
func changedFields(e *fold.Event) []plandiff.Field {
	if e.Before == "" || e.After == "" {
		return nil
	}
	var reader plan.LineReader
	before, _ := reader.Record(jsonl.Line{Text: e.Before, Number: 1})
	after, _ := reader.Record(jsonl.Line{Text: e.After, Number: 1})
	return slices.DeleteFunc(plandiff.Fields(before, after), func(f plandiff.Field) bool {
		return after.Kind() == plan.KindTask && plan.IsStateField(f.Name)
	})
}

// addIterations adds the agents that worked on a task.
func (d *Data) addIterations(t *Task) {
	for _, run := range d.Runs {
		for _, i := range run.Iterations {
			if i.isAbout(t.ID()) {
				t.Iterations = append(t.Iterations, i)
				if i.ID != "" {
					t.Usage.Add(i)
				}
			}
		}
	}
	slices.SortStableFunc(t.Iterations, func(a, b Iteration) int { return a.Began.Compare(b.Began) })
}
