package view

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// A Board is the columns of cards.
type Board struct {
	Columns  []Column
	Complete bool // the history was read: without it, the last column is empty
}

// A Column is the cards of one status.
type Column struct {
	Status Status
	Cards  []*Card // tasks in the order of work, then issues, then items; those that were accepted, the newest first
}

// Columns returns the statuses that a board has columns of, in their order.
func Columns() []Status { return []Status{Ready, Blocked, Claimed, Done, Landed, Accepted} }

// Ended returns the statuses of what has no card.
func Ended() []Status {
	return []Status{Rejected, Cancelled, Decomposed, Closed, Removed, Lost, Unknown}
}

// Board returns the board of a plan. What was accepted is shown on the day that it was accepted.
func (d *Data) Board() Board {
	b := Board{Complete: d.History != nil}
	for _, status := range Columns() {
		b.Columns = append(b.Columns, Column{Status: status})
	}
	today := d.acceptedToday()
	all := d.Cards()
	for i := range all {
		card := &all[i]
		accepted := today[card.ID()]
		delete(today, card.ID())
		switch {
		case card.Status == Cancelled, card.Status == Accepted && accepted.at.IsZero(): // an item that has ended stays in the plan
			continue
		case card.Status == Accepted:
			card.At = accepted.at
		}
		b.add(card)
	}
	for _, a := range today {
		if a.left {
			b.add(&Card{Record: &a.record, Status: Accepted, At: a.at})
		}
	}
	slices.SortFunc(b.Columns[len(b.Columns)-1].Cards, func(a, b *Card) int {
		return cmp.Or(b.At.Compare(a.At), plan.CompareAge(a.Record, b.Record))
	})
	return b
}

// Cards returns the cards of a plan: tasks in the order of work, then issues, then items, also those that have ended.
func (d *Data) Cards() []Card {
	made := newCards(d)
	records := slices.Concat(d.Schedule.Tasks(), d.Schedule.Issues(), itemsOf(d.Plan))
	all := make([]Card, len(records))
	for i, r := range records {
		all[i] = made.of(r)
	}
	return all
}

func (b *Board) add(card *Card) {
	column := &b.Columns[slices.Index(Columns(), card.Status)]
	column.Cards = append(column.Cards, card)
}

// itemsOf returns the items of a plan, the oldest first.
func itemsOf(p *plan.Plan) []*plan.Record {
	records := p.Of(plan.KindItem)
	items := make([]*plan.Record, len(records))
	for i := range records {
		items[i] = &records[i]
	}
	slices.SortStableFunc(items, plan.CompareAge)
	return items
}

// An acceptance is that of a task, or of an item that was done.
type acceptance struct {
	record plan.Record // as it was then
	at     time.Time
	left   bool // it has left the plan with it
}

// acceptedToday returns what was accepted on the day of the moment, the last time of each id. Before the history was read, it is what was known
// earlier.
func (d *Data) acceptedToday() map[string]acceptance {
	found := map[string]acceptance{}
	if d.History == nil {
		maps.Copy(found, d.accepted)
		maps.DeleteFunc(found, func(_ string, a acceptance) bool { return !d.isToday(a.at) })
		return found
	}
	reached := d.reached()
	for _, e := range d.History.Events {
		moved := e.Name == plan.EventItemMoved
		if e.Name != plan.EventAccepted && !moved || !d.isToday(e.Date) || !reached(e) {
			continue
		}
		if r := e.Record(); !moved || r.Text("state") == pipeline.Done {
			found[e.ID] = acceptance{r, e.Date, !moved}
		}
	}
	return found
}

// Filter returns the board with the cards that match.
func (b Board) Filter(f Filter) Board {
	filtered := Board{Complete: b.Complete}
	for _, c := range b.Columns {
		kept := Column{Status: c.Status}
		for _, card := range c.Cards {
			if f.Matches(card) {
				kept.Cards = append(kept.Cards, card)
			}
		}
		filtered.Columns = append(filtered.Columns, kept)
	}
	return filtered
}

// Len returns how many cards a board has.
func (b Board) Len() (n int) {
	for _, c := range b.Columns {
		n += len(c.Cards)
	}
	return n
}
