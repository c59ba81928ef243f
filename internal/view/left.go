package view

import (
	"time"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// Left returns the cards of what has left the plan, in the order of the history. There are none before that was read.
func (d *Data) Left() (left []Card) {
	if d.History == nil {
		return nil
	}
	there, reached := d.names().records, d.reached()
	for _, life := range d.History.Lives {
		if r := there[life.ID]; r != nil && (life.Record.JSON() == "" || life.Record.SameTask(*r)) {
			continue
		}
		for _, e := range life.Events {
			if reached(e) {
				left = append(left, leftCard(life))
				break
			}
		}
	}
	return left
}

// leftCard returns the card of what has left the plan.
func leftCard(life *fold.Life) Card {
	card := Card{Record: &life.Record, Status: leftStatus(life)}
	if life.Record.JSON() == "" { // only messages mention it
		name := "name"
		if life.Kind == plan.KindIssue {
			name = "desc"
		}
		r := plan.MakeRecord(life.Kind, []jsonl.Member{
			{Name: "t", Value: jsonl.Quote(string(life.Kind))}, {Name: "id", Value: jsonl.Quote(life.ID)}, {Name: name, Value: jsonl.Quote(life.Name)},
		})
		card.Record = &r
	}
	if card.Status == Accepted && life.Outcome != nil {
		card.At = life.Outcome.Date
	}
	return card
}

// leftStatus returns the status of what has left the plan.
func leftStatus(life *fold.Life) Status {
	switch life.Status {
	case fold.Pending, fold.Done, fold.Open, fold.Other:
		return Lost // it is in another plan than this one
	}
	return Status(life.StatusName())
}

// Times are when what happened to a task, issue or item; zero where that is not known.
type Times struct {
	Created time.Time
	Done    time.Time // the last time; of a task that is done
	Ended   time.Time // it left the plan; of an item, when it was done or canceled
	Changed time.Time // the last event
	DoneBy  string    // the address of who made it done
}

// Times returns the times of all records by id: those of the history, and before that was read, when they were created.
func (d *Data) Times() map[string]Times {
	all := map[string]Times{}
	for id, r := range d.names().records {
		created := createdAt(r.CreatedAt(), time.Time{})
		all[id] = Times{Created: created, Changed: created}
	}
	if d.History == nil {
		return all
	}
	reached := d.reached()
	for _, e := range d.History.Events {
		if e.Life == nil || !reached(e) {
			continue
		}
		t := all[e.Life.ID]
		t.Changed = e.Date
		switch {
		case e.Name == plan.EventDone:
			t.Done, t.DoneBy = e.Date, e.Author
		case e.Ends():
			t.Ended = e.Date
		case e.Name == plan.EventItemMoved:
			r := e.Record()
			if t.Ended = (time.Time{}); pipeline.Final(r.Text("state")) {
				t.Ended = e.Date
			}
		case e.Name == plan.EventRejected:
			t.Done, t.DoneBy = time.Time{}, ""
		case e.Begins():
			t.Ended, t.Done, t.DoneBy = time.Time{}, time.Time{}, ""
			if t.Created.IsZero() {
				t.Created = createdAt(e.CreatedAt, e.Date)
			}
		}
		all[e.Life.ID] = t
	}
	return all
}

// createdAt returns a time of creation as records hold it, else another one.
func createdAt(text string, other time.Time) time.Time {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at
	}
	return other
}
