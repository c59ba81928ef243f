package loop

import (
	"git-ralph/internal/plan"
)

// stepsBetween tells what happened to the records of a plan, by its state before and after. It does not matter who
// changed it, or how: an agent may call commands, be applied by us, or edit the file.
func stepsBetween(before, after *plan.Plan) []Step {
	var steps []Step
	add := func(what plan.EventName, r plan.Record) { steps = append(steps, Step{what, r.ID(), r.Name()}) }
	for _, was := range before.Of(plan.KindTask) {
		is, found := after.Task(was.ID())
		switch {
		case !found:
			add(departure(was, after), was)
		case tombstones(after, was.ID()) > tombstones(before, was.ID()):
			add(plan.EventRejected, is)
			if is.Done() {
				add(plan.EventDone, is)
			}
		case was.Pending() && is.Done():
			add(plan.EventDone, is)
		case was.Done() && is.Pending():
			add(plan.EventReopened, is)
		case is.Text("kill") != "" && was.Text("kill") == "":
			add(plan.EventKilled, is)
		case was.JSON() != is.JSON():
			add(plan.EventEdited, is)
		}
	}
	for _, is := range after.Of(plan.KindTask) {
		if _, found := before.Task(is.ID()); !found {
			add(plan.EventAdded, is)
		}
	}
	return append(steps, issueSteps(before, after)...)
}

func issueSteps(before, after *plan.Plan) []Step {
	var steps []Step
	for _, was := range before.Of(plan.KindIssue) {
		if _, found := after.Issue(was.ID()); !found {
			steps = append(steps, Step{plan.EventIssueDone, was.ID(), was.Name()})
		}
	}
	for _, is := range after.Of(plan.KindIssue) {
		if _, found := before.Issue(is.ID()); !found {
			steps = append(steps, Step{plan.EventIssueAdded, is.ID(), is.Name()})
		}
	}
	return steps
}

// departure says why a task is not in the plan any more.
func departure(was plan.Record, after *plan.Plan) plan.EventName {
	for _, r := range after.Of(plan.KindTask) {
		if r.Text("parent") == was.ID() {
			return plan.EventDecomposed
		}
		if r.Text("supersedes") == was.ID() {
			return plan.EventSuperseded
		}
	}
	if was.Done() {
		return plan.EventAccepted
	}
	return plan.EventCancelled
}

// tombstones counts how often a task was rejected.
func tombstones(p *plan.Plan, id string) int {
	n := 0
	for _, r := range p.Of(plan.KindReject) {
		if r.ID() == id {
			n++
		}
	}
	return n
}

// gotOn tells whether steps are progress. Editing a task again and again is none.
func gotOn(steps []Step) bool {
	for _, s := range steps {
		if s.What != plan.EventEdited {
			return true
		}
	}
	return false
}

// count tells how many steps are of a kind.
func count(steps []Step, what plan.EventName) int {
	n := 0
	for _, s := range steps {
		if s.What == what {
			n++
		}
	}
	return n
}
