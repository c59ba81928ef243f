package iteration

import (
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// AgentIssues returns the issues that an agent may look into, in their order.
func AgentIssues(p *plan.Plan) []*plan.Record {
	var issues []*plan.Record
	for _, r := range schedule.Of(p).Issues() {
		if !r.IsForPerson() {
			issues = append(issues, r)
		}
	}
	return issues
}
