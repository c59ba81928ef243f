package web

import (
	"context"
	"maps"
	"slices"
	"time"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
	"git-ralph/internal/view/svg"
)

// maxLanes is how many lanes of a timeline are sent, those with the newest events.
const maxLanes = 1000

// A timeline is the JSON of what happened, in lanes. Times are divided into buckets.
type timeline struct {
	From    string `json:"from,omitempty"` // neither where nothing happened
	Until   string `json:"until,omitempty"`
	Buckets int    `json:"buckets"`
	Events  int    `json:"events"`
	Hidden  int    `json:"hidden,omitempty"` // lanes
	Counts  []int  `json:"counts"`           // of events, by bucket
	Ticks   []tick `json:"ticks"`
	Looks   []look `json:"looks"` // of the marks
	Lanes   []lane `json:"lanes"`
}

// A look is how the marks of some events look.
type look struct {
	Title  string   `json:"title"`
	Class  string   `json:"class"`
	Path   string   `json:"path"`
	Events []string `json:"events"` // of these lanes
}

// A tick is a mark of the axis, at a part of its length from 0 to 1.
type tick struct {
	At    float64 `json:"at"`
	Label string  `json:"label"`
}

type lane struct {
	ID     string      `json:"id"`
	Kind   plan.Kind   `json:"kind,omitempty"` // of a record
	Name   string      `json:"name,omitempty"`
	Status view.Status `json:"status,omitempty"`
	Events int         `json:"events"`
	Marks  []mark      `json:"marks"`
	Spans  []laneSpan  `json:"spans,omitempty"`
}

type mark struct {
	Bucket int    `json:"bucket"`
	What   string `json:"what"`
	Count  int    `json:"count"`
	At     string `json:"at"`
}

type laneSpan struct {
	From   int         `json:"from"`
	Until  int         `json:"until"`
	Status view.Status `json:"status"`
}

// readTimeline returns the timeline by task, or by person, of the tasks whose cards match the filter.
func readTimeline(_ context.Context, p *place, d *view.Data, query func(string) string) (any, error) {
	o := view.TimelineOptions{By: view.ByTask, Limit: maxLanes}
	if query("by") == "person" {
		o.By = view.ByPerson
	}
	if f := view.ParseFilter(query("q")); !f.Empty() {
		matching := map[string]bool{}
		for _, c := range p.boardOf(d).Filter(f).Columns {
			for _, card := range c.Cards {
				matching[card.ID()] = true
			}
		}
		o.In = func(e *fold.Event) bool { return matching[e.ID] }
	}
	t := d.Timeline(o)
	one := timeline{
		From: timeText(t.From), Until: timeText(t.Until), Buckets: view.TimelineBuckets, Events: t.Events, Hidden: t.Hidden, Counts: t.Counts,
		Ticks: newTicks(t.From, t.Until), Looks: newLooks(t), Lanes: make([]lane, len(t.Lanes)),
	}
	for i, l := range t.Lanes {
		one.Lanes[i] = newLane(l)
	}
	return one, nil
}

// newLooks returns the looks of the events that happened, in the order of all looks.
func newLooks(t view.Timeline) []look {
	happened := map[plan.EventName]bool{}
	for _, l := range t.Lanes {
		for _, m := range l.Marks {
			happened[m.What] = true
		}
	}
	events := map[string][]string{} // by the title of their look
	for _, name := range slices.Sorted(maps.Keys(happened)) {
		title := svg.LookOf(name).Title
		events[title] = append(events[title], string(name))
	}
	looks := []look{}
	for _, one := range svg.Looks() {
		if names := events[one.Title]; names != nil {
			looks = append(looks, look{one.Title, one.Class, one.Path, names})
		}
	}
	return looks
}

func newLane(l view.Lane) lane {
	one := lane{ID: l.ID, Kind: l.Kind, Name: l.Name, Status: l.Status, Events: l.Events}
	for _, m := range l.Marks {
		one.Marks = append(one.Marks, mark{m.Bucket, string(m.What), m.Count, timeText(m.At)})
	}
	for _, s := range l.Spans {
		one.Spans = append(one.Spans, laneSpan(s))
	}
	return one
}

// maxTicks is how many marks an axis has.
const maxTicks = 8

func newTicks(from, until time.Time) []tick {
	all := []tick{}
	if !from.Before(until) {
		return all
	}
	for _, t := range view.Ticks(from, until, maxTicks) {
		all = append(all, tick{float64(t.At.Sub(from)) / float64(until.Sub(from)), t.Label})
	}
	return all
}

// A burndown is the JSON of how many tasks there were, by status, over a time.
type burndown struct {
	From   string          `json:"from,omitempty"`
	Until  string          `json:"until,omitempty"`
	Ticks  []tick          `json:"ticks"`
	Points []burndownPoint `json:"points"`
}

type burndownPoint struct {
	At       string `json:"at"`
	Pending  int    `json:"pending"`
	Done     int    `json:"done"`
	Accepted int    `json:"accepted"`
}

func readBurndown(_ context.Context, _ *place, d *view.Data, _ func(string) string) (any, error) {
	b := d.Burndown("", time.Time{}, time.Time{})
	one := burndown{From: timeText(b.From), Until: timeText(b.Until), Ticks: newTicks(b.From, b.Until), Points: make([]burndownPoint, len(b.Points))}
	for i, p := range b.Points {
		one.Points[i] = burndownPoint{timeText(p.At), p.Pending, p.Done, p.Accepted}
	}
	return one, nil
}
