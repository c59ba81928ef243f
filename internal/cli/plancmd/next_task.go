package plancmd

import (
	"fmt"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// nextTask returns the id of the task that comes next in BUILD under claims.
func nextTask(p *plan.Plan, claims schedule.Claims) (string, error) {
	next := schedule.Of(p).With(claims).Next()
	if next.Action == schedule.Build && next.Item != nil {
		return next.Item.ID(), nil
	}
	err := &cmdline.NothingError{Text: "no task is next: " + string(next.Action) + ", " + planprint.NextText(next)}
	if next.Action == schedule.Decompose {
		err.Text = fmt.Sprintf("%s was killed and is to be decomposed", next.Item.ID())
		err.Hint = fmt.Sprintf("`git ralph task decompose %s`; if it is done, name it: `git ralph task done %[1]s`", next.Item.ID())
	}
	return "", err
}
