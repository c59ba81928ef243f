package cli

import (
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// A state is a plan and what follows from it: what `query` prints, and what
// every mutation prints of it.
type state struct {
	plan *plan.Plan
	*schedule.Schedule
}

func stateOf(p *plan.Plan) state { return state{p, schedule.Of(p)} }

func (v view) state() state { return state{v.Plan, v.Schedule} }

// writeAll writes everything as one object.
func (s state) writeAll(w sink) {
	o := object{sink: w}
	o.strOrNull("spec", s.plan.Spec())
	s.writeStageAndNext(&o)
	s.writeRest(&o)
	o.end()
}

// writeStageAndNext writes the members "stage" and "next".
func (s state) writeStageAndNext(o *object) {
	next := s.Next()
	o.str("stage", string(next.Action))
	o.member("next")
	s.writeNext(o.sink, next)
}

// writeRest writes the members "tasks", "issues", "tombstones", "conflicts".
func (s state) writeRest(o *object) {
	o.member("tasks")
	s.writeTasks(o.sink)
	o.member("issues")
	writeRecords(o.sink, s.Issues())
	o.member("tombstones")
	writeRecords(o.sink, s.plan.Of(plan.KindReject))
	o.member("conflicts")
	writeRecords(o.sink, s.conflicts())
}

// writeTasks writes {"pending": […], "done": […], "others": […]}; the others are in
// a state that we do not know.
func (s state) writeTasks(w sink) {
	o := object{sink: w}
	o.member("pending")
	s.writeTaskList(w, s.Pending())
	o.member("done")
	s.writeTaskList(w, s.Done())
	o.member("others")
	s.writeTaskList(w, s.Others())
	o.end()
}

func (s state) writeTaskList(w sink, tasks []*plan.Record) {
	writeArray(w, len(tasks), func(i int) { writeTask(w, tasks[i], s.BlockedBy(tasks[i])) })
}

// writeNext writes {"action", "item"}, and "items" or "stalled" where the stage
// has them.
func (s state) writeNext(w sink, next schedule.Next) {
	o := object{sink: w}
	o.str("action", string(next.Action))
	o.member("item")
	switch {
	case next.Item == nil:
		w.WriteString("null")
	case next.Item.Kind() == plan.KindTask:
		writeTask(w, next.Item, s.BlockedBy(next.Item))
	default:
		w.WriteString(next.Item.JSON())
	}
	if next.Items != nil {
		o.member("items")
		s.writeTaskList(w, next.Items)
	}
	if next.Stalled != nil {
		o.member("stalled")
		writeStalled(w, next.Stalled)
	}
	o.end()
}

func writeStalled(w sink, stalled []schedule.Stall) {
	writeArray(w, len(stalled), func(i int) {
		o := object{sink: w}
		o.str("id", stalled[i].ID)
		o.value("blocked_by", string(jsonl.List(stalled[i].BlockedBy)))
		o.end()
	})
}

// conflicts returns the records that hold a recorded conflict.
func (s state) conflicts() []plan.Record {
	var found []plan.Record
	for _, r := range s.plan.Records() {
		if r.Has("conflict") {
			found = append(found, r)
		}
	}
	return found
}
