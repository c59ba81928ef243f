package view_test

import (
	"testing"
	"time"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/history/record"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// hour returns a time some hours after the beginning of the tests' history.
func hour(n int) time.Time { return time.Date(2026, 3, 2, n, 0, 0, 0, time.UTC) }

// happened returns an event.
func happened(name plan.EventName, at int) *fold.Event {
	return &fold.Event{Event: &record.Event{Name: name}, InHead: true, Date: hour(at), Author: "ann@example.com"}
}

// lived adds the life of a task to a history.
func lived(h *fold.History, id string, status fold.Status, events ...*fold.Event) {
	life := &fold.Life{Kind: plan.KindTask, ID: id, Name: "Task " + id, Spec: "a.md", Status: status, Events: events}
	for _, e := range events {
		e.Life, e.ID = life, id
	}
	h.Lives, h.Events = append(h.Lives, life), append(h.Events, events...)
}

// withHistory returns data with a history, 20 hours after its beginning.
func withHistory(t *testing.T, h *fold.History) *view.Data {
	d := dataOf(t, `{"t": "spec", "spec": "a.md"}`)
	d.History, d.Moment = h, hour(20)
	return d
}

// TestBurndown guards how events change the counts, clocks that disagree included, and that a lost task does not stay in them.
func TestBurndown(t *testing.T) {
	left := happened(plan.EventRejected, 6)
	left.Left = true
	elsewhere := happened(plan.EventAdded, 1)
	elsewhere.InHead = false
	h := &fold.History{}
	lived(h, "t-1", fold.Accepted, happened(plan.EventAdded, 0), happened(plan.EventDone, 4), happened(plan.EventRejected, 6), happened(plan.EventDone, 8), happened(plan.EventAccepted, 10))
	lived(h, "t-2", fold.Cancelled, happened(plan.EventAdded, 2), happened(plan.EventCancelled, 12))
	lived(h, "t-3", fold.Rejected, happened(plan.EventAdded, 2), happened(plan.EventDone, 4), left)
	lived(h, "t-4", fold.Done, happened(plan.EventAdded, 14), happened(plan.EventDone, 3)) // by the clock, before it was added
	lived(h, "t-5", fold.Lost, happened(plan.EventAdded, 16))
	lived(h, "t-6", fold.Pending, happened(plan.EventAdded, 99), happened(plan.EventEdited, 99)) // by the clock, in the future
	lived(h, "t-7", fold.Pending, elsewhere)
	b := withHistory(t, h).Burndown("", time.Time{}, time.Time{})
	if !b.From.Equal(hour(0)) || !b.Until.Equal(hour(20)) || len(b.Points) != 121 {
		t.Fatalf("from %v to %v, %d points", b.From, b.Until, len(b.Points))
	}
	for at, want := range map[int][3]int{0: {1, 0, 0}, 3: {3, 0, 0}, 5: {1, 2, 0}, 7: {2, 0, 0}, 9: {1, 1, 0}, 11: {1, 0, 1}, 13: {0, 0, 1}, 15: {0, 1, 1}, 17: {0, 1, 1}, 20: {1, 1, 1}} {
		p := b.Points[at*6]
		if got := [3]int{p.Pending, p.Done, p.Accepted}; got != want {
			t.Errorf("after %d hours (%v): %v, want %v", at, p.At, got, want)
		}
	}
	if b := withHistory(t, h).Burndown("b.md", time.Time{}, time.Time{}); len(b.Points) != 0 {
		t.Errorf("of another spec: %d points", len(b.Points))
	}
	if b := withHistory(t, h).Burndown("", hour(11), hour(13)); b.Points[0].Accepted != 1 || b.Points[0].Pending != 1 || b.Points[120].Pending != 0 {
		t.Errorf("of a part: %+v, %+v", b.Points[0], b.Points[120])
	}
}

// TestTimeline guards: events of one bucket are one mark, of the event that says most; the lanes of the newest events come first.
func TestTimeline(t *testing.T) {
	h := &fold.History{}
	lived(h, "t-1", fold.Done, happened(plan.EventAdded, 0), happened(plan.EventEdited, 0), happened(plan.EventDone, 10))
	lived(h, "t-2", fold.Pending, happened(plan.EventAdded, 12))
	d := withHistory(t, h)
	l := d.Timeline(view.TimelineOptions{By: view.ByTask})
	if len(l.Lanes) != 2 || l.Lanes[0].ID != "t-2" || l.Events != 4 || l.Counts[0] != 2 {
		t.Fatalf("%+v", l)
	}
	lane := l.Lanes[1]
	if m := lane.Marks[0]; len(lane.Marks) != 2 || m.What != plan.EventAdded || m.Count != 2 || lane.Marks[1].Bucket != 60 {
		t.Errorf("%+v", lane.Marks)
	}
	if s := lane.Spans; len(s) != 2 || s[0] != (view.Span{From: 0, Until: 60, Status: view.Ready}) || s[1] != (view.Span{From: 60, Until: 120, Status: view.Done}) {
		t.Errorf("%+v", s)
	}
	if l := d.Timeline(view.TimelineOptions{By: view.ByTask, Limit: 1}); len(l.Lanes) != 1 || l.Hidden != 1 || l.Events != 4 {
		t.Errorf("%+v", l)
	}
	if l := d.Timeline(view.TimelineOptions{By: view.ByPerson}); len(l.Lanes) != 1 || l.Lanes[0].ID != "ann@example.com" || l.Lanes[0].Events != 4 {
		t.Errorf("%+v", l)
	}
	if l := d.Timeline(view.TimelineOptions{By: view.ByTask, In: func(*fold.Event) bool { return false }}); l.Events != 0 || !l.From.IsZero() || !l.Until.IsZero() {
		t.Errorf("%+v", l)
	}
}

// TestTicks guards: there are never more marks than wanted, all lie within the time, and none is missing between two.
func TestTicks(t *testing.T) {
	for _, length := range []time.Duration{time.Second, time.Minute, time.Hour, 30 * time.Hour, 10 * 24 * time.Hour, 90 * 24 * time.Hour, 20 * 365 * 24 * time.Hour, 290 * 365 * 24 * time.Hour} {
		from := time.Date(2026, 3, 27, 13, 37, 11, 0, time.FixedZone("X", 3600*5+1800))
		ticks := view.Ticks(from, from.Add(length), 8)
		for i, tick := range ticks {
			if tick.At.Before(from) || tick.At.After(from.Add(length)) || i > 0 && !ticks[i-1].At.Before(tick.At) || tick.Label == "" {
				t.Errorf("%v: %v", length, tick)
			}
		}
		if len(ticks) > 8 || length >= time.Hour && len(ticks) < 2 {
			t.Errorf("%v: %d marks", length, len(ticks))
		}
	}
}
