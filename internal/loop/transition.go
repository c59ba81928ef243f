package loop

import (
	"git-ralph/internal/plan"
)

// stepsBetween returns what happened to the records of a plan, by its state before and after. It does not matter who
// changed it, or how: an agent may call commands, be applied by us, or edit the file.
func stepsBetween(from, to *plan.Plan) []Step {
	before, after := catalogueOf(from), catalogueOf(to)
	var steps []Step
	add := func(what plan.EventName, r plan.Record) { steps = append(steps, Step{what, r.ID(), r.Name()}) }
	for _, was := range before.tasks {
		id := was.ID()
		is, found := after.task(id)
		switch {
		case !found:
			if was.Done() && len(after.rejections[id]) > len(before.rejections[id]) {
				add(plan.EventRejected, was)
			}
			add(after.departure(was), was)
		case len(after.rejections[id]) > len(before.rejections[id]):
			add(plan.EventRejected, is)
			if is.Done() {
				add(plan.EventDone, is)
			}
		case was.JSON() == is.JSON():
		case was.Pending() && is.Done():
			add(plan.EventDone, is)
		case was.Done() && is.Pending():
			add(plan.EventReopened, is)
		case is.Text("kill") != "" && was.Text("kill") == "":
			add(plan.EventKilled, is)
		default:
			add(plan.EventEdited, is)
		}
	}
	for _, is := range after.tasks {
		if _, found := before.task(is.ID()); !found {
			add(plan.EventAdded, is)
		}
	}
	return append(steps, issueSteps(before, after)...)
}

func issueSteps(before, after *catalogue) []Step {
	var steps []Step
	for _, was := range before.issues {
		if _, found := after.issue(was.ID()); !found {
			steps = append(steps, Step{plan.EventIssueDone, was.ID(), was.Name()})
		}
	}
	for _, is := range after.issues {
		if _, found := before.issue(is.ID()); !found {
			steps = append(steps, Step{plan.EventIssueAdded, is.ID(), is.Name()})
		}
	}
	return steps
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

// gotOn reports whether steps are progress. Editing a task again and again is none.
func gotOn(steps []Step) bool {
	for _, s := range steps {
		if s.What != plan.EventEdited {
			return true
		}
	}
	return false
}

// count returns how many steps are of a kind.
func count(steps []Step, what plan.EventName) int {
	n := 0
	for _, s := range steps {
		if s.What == what {
			n++
		}
	}
	return n
}
