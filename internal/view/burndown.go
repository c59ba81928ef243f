package view

import (
	"slices"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// A Burndown is how many tasks there were, by status, over a time.
type Burndown struct {
	From, Until time.Time       // zero where no task was ever added
	Points      []BurndownPoint // from From to Until, evenly apart; none where those are zero
}

// A BurndownPoint is how many tasks there were at a moment. Together they are the scope: what was ever added and not taken out.
type BurndownPoint struct {
	At                      time.Time
	Pending, Done, Accepted int
}

// Scope returns how many tasks belong to the work.
func (p BurndownPoint) Scope() int { return p.Pending + p.Done + p.Accepted }

// burndownSteps is how many steps a burndown has, however many events there are.
const burndownSteps = 120

// Burndown returns the burndown of the tasks of a spec, "" for all, over a time. A zero time is that of the first event, and the
// moment of the data. The history has been read.
func (d *Data) Burndown(spec string, from, until time.Time) Burndown {
	var steps []taskStep
	for _, life := range d.History.Lives {
		if life.Kind == plan.KindTask && (spec == "" || life.Spec == spec) {
			steps = append(steps, d.stepsOf(life)...)
		}
	}
	if len(steps) == 0 {
		return Burndown{}
	}
	slices.SortStableFunc(steps, func(a, b taskStep) int { return a.at.Compare(b.at) })
	if until.IsZero() {
		until = d.Moment
	}
	if from.IsZero() {
		from = steps[0].at
	}
	if !from.Before(until) {
		from = until.Add(-time.Minute)
	}
	b := Burndown{From: from.In(d.Moment.Location()), Until: until.In(d.Moment.Location())}
	counts := [4]int{}
	for i := range burndownSteps + 1 {
		at := b.From.Add(time.Duration(float64(until.Sub(from)) / burndownSteps * float64(i)))
		if i == burndownSteps {
			at = b.Until
		}
		for len(steps) > 0 && !steps[0].at.After(at) {
			counts[steps[0].from]--
			counts[steps[0].to]++
			steps = steps[1:]
		}
		b.Points = append(b.Points, BurndownPoint{at, counts[taskPending], counts[taskDone], counts[taskAccepted]})
	}
	return b
}

// The states of a task that are counted.
const (
	taskAbsent = iota
	taskPending
	taskDone
	taskAccepted
)

// A taskStep is a change of a task's state.
type taskStep struct {
	at       time.Time
	from, to int
}

// stepsOf returns how the state of a task changed, in the order of the history. Where clocks disagree, nothing is earlier than what
// came before it, and nothing later than the moment of the data.
func (d *Data) stepsOf(life *fold.Life) (steps []taskStep) {
	reached := d.reached()
	state, at := taskAbsent, time.Time{}
	move := func(to int) {
		if to != state {
			steps = append(steps, taskStep{at, state, to})
			state = to
		}
	}
	for _, e := range life.Events {
		if !reached(e) {
			continue
		}
		if e.Date.After(at) {
			at = e.Date
		}
		if at.After(d.Moment) {
			at = d.Moment
		}
		move(stateAfter(e, state))
	}
	if len(steps) > 0 && d.Commit == (git.Hash{}) && life.Status == fold.Lost {
		move(taskAbsent) // a merge dropped it: no event says when
	}
	return steps
}

// stateAfter returns the state of a task after an event.
func stateAfter(e *fold.Event, state int) int {
	switch {
	case e.Name == plan.EventAccepted:
		return taskAccepted
	case e.Name == plan.EventDone:
		return taskDone
	case e.Ends():
		return taskAbsent
	case e.Begins(), e.Name == plan.EventRejected:
		return taskPending
	}
	return state
}
