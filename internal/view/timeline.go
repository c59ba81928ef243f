package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// A Timeline is what happened over a time, in lanes. The time is divided into buckets, so that a burst of events is one mark with a number.
type Timeline struct {
	From, Until time.Time // zero where nothing happened
	By          LaneBy
	Lanes       []Lane
	Counts      []int // of events, by bucket, in all lanes
	Events      int
	Hidden      int // lanes that are left out: those of which the last event is the oldest
}

// TimelineBuckets is how many buckets a timeline has.
const TimelineBuckets = 120

// LaneBy says what a lane is.
type LaneBy string

// What a lane can be.
const (
	ByTask   LaneBy = "task"
	ByPerson LaneBy = "person"
)

// A Lane is a task, issue or item, or a person.
type Lane struct {
	ID     string    // of the record, or the address of the person; "" where no commit says who it was, and for the spec
	Kind   plan.Kind // of a record
	Name   string
	Status Status // of a record
	Marks  []Mark // in the order of time
	Spans  []Span // of a task: when it was pending and when it was done
	Events int
	Last   time.Time // of its last event
}

// A Mark is what happened in a bucket.
type Mark struct {
	Bucket int
	What   plan.EventName // that says most
	Count  int            // of all events
	At     time.Time      // of the first
}

// A Span is a time in which a task had a status, in buckets: to the beginning of the second one.
type Span struct {
	From, Until int
	Status      Status // Ready for pending, or Done
}

// TimelineOptions select what a timeline shows.
type TimelineOptions struct {
	By          LaneBy
	In          func(*fold.Event) bool // which events belong to it; nil for all
	From, Until time.Time              // zero for the first event, and for the moment of the data
	Limit       int                    // lanes at most, 0 for all
}

// Timeline returns what happened. The history has been read.
func (d *Data) Timeline(o TimelineOptions) Timeline {
	reached := d.reached()
	var events []*fold.Event
	for _, e := range d.History.Events {
		if reached(e) && (o.In == nil || o.In(e)) {
			events = append(events, e)
			if o.From.IsZero() || o.From.After(e.Date) && !e.Date.IsZero() {
				o.From = e.Date
			}
		}
	}
	if len(events) == 0 {
		return Timeline{By: o.By, Counts: make([]int, TimelineBuckets)}
	}
	if o.Until.IsZero() {
		o.Until = d.Moment
	}
	if !o.From.Before(o.Until) {
		o.From = o.Until.Add(-time.Minute)
	}
	t := Timeline{From: o.From.In(d.Moment.Location()), Until: o.Until.In(d.Moment.Location()), By: o.By, Counts: make([]int, TimelineBuckets), Events: len(events)}
	lanes := map[string]*Lane{}
	for _, e := range events {
		t.add(lanes, e)
	}
	for _, lane := range lanes {
		slices.SortFunc(lane.Marks, func(a, b Mark) int { return cmp.Compare(a.Bucket, b.Bucket) })
		t.Lanes = append(t.Lanes, *lane)
	}
	slices.SortFunc(t.Lanes, func(a, b Lane) int { return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.ID, b.ID)) })
	if o.Limit > 0 && len(t.Lanes) > o.Limit {
		t.Hidden = len(t.Lanes) - o.Limit
		t.Lanes = t.Lanes[:o.Limit]
	}
	if o.By != ByPerson {
		d.describe(&t)
	}
	return t
}

// bucket returns the bucket of a time.
func (t *Timeline) bucket(at time.Time) int {
	share := float64(at.Sub(t.From)) / float64(t.Until.Sub(t.From))
	return min(max(int(share*TimelineBuckets), 0), TimelineBuckets-1)
}

// add adds an event to its lane.
func (t *Timeline) add(lanes map[string]*Lane, e *fold.Event) {
	id := e.ID
	if t.By == ByPerson {
		id = e.Author
	} else if e.Life != nil {
		id = e.Life.ID
	}
	lane := lanes[id]
	if lane == nil {
		lane = &Lane{ID: id}
		lanes[id] = lane
	}
	bucket := t.bucket(e.Date)
	t.Counts[bucket]++
	lane.Events++
	if e.Date.After(lane.Last) {
		lane.Last = e.Date
	}
	at := slices.IndexFunc(lane.Marks, func(m Mark) bool { return m.Bucket == bucket })
	if at < 0 {
		lane.Marks = append(lane.Marks, Mark{bucket, e.Name, 1, e.Date})
		return
	}
	m := &lane.Marks[at]
	if m.Count++; weightOf(e.Name) >= weightOf(m.What) {
		m.What = e.Name
	}
	if e.Date.Before(m.At) {
		m.At = e.Date
	}
}

// weightOf says how much an event says of what happened, beside others.
func weightOf(name plan.EventName) int {
	return slices.Index([]plan.EventName{
		plan.EventEdited, plan.EventSpec, plan.EventAdded, plan.EventIssueAdded, plan.EventItemAdded, plan.EventReopened, plan.EventItemMoved,
		plan.EventDone, plan.EventCancelled, plan.EventItemRemoved, plan.EventIssueDone, plan.EventAccepted, plan.EventKilled, plan.EventRejected,
	}, name)
}

// describe adds to lanes of records what these are called, their statuses, and when tasks were pending and done.
func (d *Data) describe(t *Timeline) {
	lives := d.names().lives
	status := map[string]Status{}
	for _, c := range d.Cards() {
		status[c.ID()] = c.Status
	}
	for i := range t.Lanes {
		lane := &t.Lanes[i]
		life := lives[lane.ID]
		if life == nil {
			continue // of the spec
		}
		lane.Kind, lane.Name = life.Kind, Called(life.Name)
		if lane.Status = status[lane.ID]; lane.Status == "" {
			lane.Status = leftStatus(life)
		}
		if life.Kind == plan.KindTask {
			lane.Spans = t.spans(d.stepsOf(life))
		}
	}
}

// spans returns when a task was pending and done, of the time that is shown.
func (t *Timeline) spans(steps []taskStep) (spans []Span) {
	for i, s := range steps {
		until := t.Until
		if i+1 < len(steps) {
			until = steps[i+1].at
		}
		if s.to == taskAbsent || s.to == taskAccepted || until.Before(t.From) || s.at.After(t.Until) {
			continue
		}
		status := Ready
		if s.to == taskDone {
			status = Done
		}
		end := TimelineBuckets
		if until.Before(t.Until) {
			end = t.bucket(until)
		}
		spans = append(spans, Span{t.bucket(s.at), end, status})
	}
	return spans
}
