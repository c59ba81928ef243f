package planprint

import (
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/landed"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// A State is a plan and what is derived from it: `query` prints all of it, and
// every mutation a part.
type State struct {
	Plan *plan.Plan
	*schedule.Schedule

	Claims    Claims                    // who works on tasks now
	Landed    map[string]landed.Verdict // of done tasks; nil where nobody asks
	Unplanned string                    // the spec, where it has had no tasks yet; see planio.FindUnplanned
}

// StateOf returns the state of a plan, without claims.
func StateOf(p *plan.Plan) State { return State{Plan: p, Schedule: schedule.Of(p)} }

// WriteAll writes everything as one object.
func (s State) WriteAll(w term.Sink) {
	o := term.Object{Sink: w}
	o.StrOrNull("spec", s.Plan.Spec())
	s.WriteStageAndNext(&o)
	s.WriteRest(&o)
	o.End()
}

// WriteStageAndNext writes the members "stage" and "next".
func (s State) WriteStageAndNext(o *term.Object) {
	next := s.Next()
	o.Str("stage", string(next.Action))
	o.Member("next")
	s.WriteNext(o.Sink, next)
}

// WriteRest writes the members "tasks", "issues", "tombstones", "conflicts".
func (s State) WriteRest(o *term.Object) {
	o.Member("tasks")
	s.WriteTasks(o.Sink)
	o.Member("issues")
	WriteRecords(o.Sink, s.Issues())
	o.Member("tombstones")
	WriteRecords(o.Sink, s.Plan.Of(plan.KindReject))
	o.Member("conflicts")
	WriteRecords(o.Sink, s.Conflicts())
}

// WriteTasks writes {"pending": […], "done": […], "others": […]}; the others are in
// a state that is neither.
func (s State) WriteTasks(w term.Sink) {
	o := term.Object{Sink: w}
	o.Member("pending")
	s.WriteTaskList(w, s.Pending())
	o.Member("done")
	s.WriteTaskList(w, s.Done())
	o.Member("others")
	s.WriteTaskList(w, s.Others())
	o.End()
}

func (s State) WriteTaskList(w term.Sink, tasks []*plan.Record) {
	term.WriteArray(w, len(tasks), func(i int) { s.writeTask(w, tasks[i]) })
}

// WriteNext writes {"action", "item"}, and "items" or "stalled" where the stage
// has them.
func (s State) WriteNext(w term.Sink, next schedule.Next) {
	o := term.Object{Sink: w}
	o.Str("action", string(next.Action))
	o.Member("item")
	switch {
	case next.Item == nil:
		w.WriteString("null")
	case next.Item.Kind() == plan.KindTask:
		s.writeTask(w, next.Item)
	default:
		w.WriteString(next.Item.JSON())
	}
	if next.Items != nil {
		o.Member("items")
		s.WriteTaskList(w, next.Items)
	}
	if next.Stalled != nil {
		o.Member("stalled")
		writeStalled(w, next.Stalled)
	}
	o.End()
}

func writeStalled(w term.Sink, stalled []schedule.Stall) {
	term.WriteArray(w, len(stalled), func(i int) {
		o := term.Object{Sink: w}
		o.Str("id", stalled[i].ID)
		o.Value("blocked_by", string(jsonl.List(stalled[i].BlockedBy)))
		if stalled[i].Claimed {
			o.Boolean("claimed", true)
		}
		if stalled[i].NoAgent {
			o.Boolean("no_agent", true)
		}
		o.End()
	})
}

// Conflicts returns the records that hold a recorded conflict.
func (s State) Conflicts() []plan.Record {
	var found []plan.Record
	records := s.Plan.Records()
	for i := range records {
		if records[i].Has("conflict") {
			found = append(found, records[i])
		}
	}
	return found
}
