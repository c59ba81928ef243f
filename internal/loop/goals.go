package loop

import (
	"time"

	"git-ralph/internal/iteration"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// Goals say how far a run goes. Zero values set no limit.
type Goals struct {
	Iterations int
	Time       time.Duration
	Cost       float64 // US dollars
	Tokens     int
	Once       bool             // one iteration
	Stage      schedule.Stage   // as long as the plan is in this stage
	Only       schedule.Stage   // VERIFY or INVESTIGATE: that alone, whatever stage the plan is in
	Task       string           // until this task is done
	Push       bool             // fetch, rebase and push after each iteration that accepted something
	Plan       bool             // plan the current spec, and nothing else
	Spec       string           // of Plan, in a preview: the spec that would become the current one
	Work       iteration.Source // in place of the plan, until it is done; may be nil
	Strict     bool             // new tasks whose acceptance criteria cannot be checked are refused
}

// isReached reports whether nothing is left to do for Task: it is not pending, or it is a review that has a verdict.
func (g Goals) isReached(p *plan.Plan) bool {
	task, found := p.Task(g.Task)
	return g.Task != "" && (!found || !task.Pending() || pipeline.IsReported(p, task))
}

// HasWork reports whether a plan has something for Only.
func (g Goals) HasWork(p *plan.Plan) bool {
	if g.Only == schedule.Verify {
		return len(schedule.Of(p).ToVerify()) > 0
	}
	return len(iteration.AgentIssues(p)) > 0
}
