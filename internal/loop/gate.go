package loop

import (
	"strings"

	"git-ralph/internal/iteration"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// GateText says what a person has to decide, where nothing else is left to do in a plan; else "". Issues that only a person closes are
// part of it where there are any.
func GateText(p *plan.Plan) string {
	sched := schedule.Of(p)
	if len(sched.Ready())+len(sched.ToVerify())+len(iteration.AgentIssues(p)) > 0 {
		return ""
	}
	var all []string
	for _, g := range pipeline.Gates(p) {
		all = append(all, g.String())
	}
	for _, issue := range sched.Issues() {
		all = append(all, "what is left waits for "+issue.ID()+", which only a person closes")
	}
	return strings.Join(all, "; ")
}
