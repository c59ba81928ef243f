package team

import (
	"strconv"
	"time"

	"git-ralph/internal/iteration"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/loop"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// The kinds of a team's own events. Those of its workers are in packages loop and work.
const (
	WorkerBegan loop.Kind = "worker"     // it was started
	WorkerEnded loop.Kind = "worker-end" // it is never started again; Text says why
	Planned     loop.Kind = "planned"    // the tasks of items were added before the run; Steps are these
	RosterGrown loop.Kind = "roster"     // the work calls for the workers in Text
)

// An Event is one thing that happened in a team's run.
type Event struct {
	loop.Event
	Worker string // that it is about; "" for the team

	object jsonl.Object // as the worker printed it
}

// JSON returns the event as one object, with a member "worker" where it is about one.
func (e Event) JSON() jsonl.Object {
	object := e.object
	if object.Text() == "" {
		object = e.Event.JSON()
	}
	if e.Worker == "" {
		return object
	}
	return jsonl.Build(append(object.Members(), jsonl.Member{Name: "worker", Value: jsonl.Quote(e.Worker)}))
}

// readEvent returns an event that a worker printed.
func readEvent(worker string, o jsonl.Object) Event {
	text := func(name string) string { return journal.Text(o, name) }
	e := Event{Worker: worker, object: o, Event: loop.Event{
		Kind: loop.Kind(text("t")), Run: text("run"), ID: text("id"), Name: text("name"), Text: text("text"), Stage: schedule.Stage(text("stage")),
		Result: iteration.Result(text("result")), Why: loop.Reason(text("why")), Iteration: number(o, "iteration"), Commits: number(o, "commits"),
		Took: time.Duration(number(o, "ms")) * time.Millisecond, Tokens: number(o, "tokens"),
	}}
	e.At, _ = time.Parse(time.RFC3339, text("at"))
	if value, found := o.Get("cost"); found {
		e.Cost, _ = strconv.ParseFloat(string(value), 64)
	}
	if steps, found := o.Get("steps"); found {
		for step := range steps.All() {
			if s, err := jsonl.ParseObject(string(step)); err == nil {
				e.addStep(readStep(s))
			}
		}
	}
	return e
}

// readStep returns what an iteration did, as its worker printed it.
func readStep(o jsonl.Object) plan.Event {
	e := plan.Event{Name: plan.EventName(journal.Text(o, "what")), ID: journal.Text(o, "id"), Title: journal.Text(o, "name")}
	if to := journal.Text(o, "to"); to != "" {
		e.Detail = []jsonl.Member{{Name: "to", Value: jsonl.Quote(to)}}
	}
	return e
}

// addStep adds what an iteration did. What became of other tasks than its own came with a merge of the target: others did it. Only the plan
// that a review is about ends by the review.
func (e *Event) addStep(s plan.Event) {
	switch s.Name {
	case plan.EventDone, plan.EventAccepted, plan.EventRejected, plan.EventKilled, plan.EventCancelled, plan.EventEdited, plan.EventReopened:
		if e.ID != "" && s.ID != e.ID && !pipeline.IsPlanOfReview(s.ID, e.ID) {
			return
		}
	}
	e.Steps = append(e.Steps, s)
}

func number(o jsonl.Object, name string) int {
	value, _ := o.Get(name)
	n, _ := strconv.Atoi(string(value))
	return n
}
