package iteration

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// Rejections returns the reasons for which a task, and those that it superseded, were rejected, the oldest first.
type Rejections func(id string) (reasons []string)

// A History reads them from the commits of HEAD. The plan does not keep them: planning the next spec removes tombstones.
type History func(ctx context.Context) (Rejections, error)

// rejections returns why a task, and the one that it superseded, was rejected before: by the history, by tombstones that
// may not be committed yet, and by its own field.
func (p Workspace) rejections(ctx context.Context, j Job, task plan.Record) string {
	inPlan := planRejectionsOf(j.State.Plan)
	last := task.Text("reject")
	var reasons []string
	if last != "" || task.Text("supersedes") != "" || len(inPlan.rejections[task.ID()]) > 0 { // else the history has none, and reading it takes long
		reasons = p.past(ctx, j.N, task.ID())(task.ID())
	}
	reasons = append(slices.Clone(reasons), inPlan.reasons(task)...)
	if last != "" {
		reasons = append(reasons, last)
	}
	var lines []string
	for _, reason := range reasons {
		line := "- " + strings.Join(strings.Fields(reason), " ")
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "## Why it was rejected before\n\n" + strings.Join(lines, "\n") + "\n"
}

// past reads the history. If it cannot be read, the run continues: the plan has the last reason of each task.
func (p Workspace) past(ctx context.Context, iteration int, id string) Rejections {
	unknown := func(string) []string { return nil }
	if p.History == nil {
		return unknown
	}
	past, err := p.History(ctx)
	if err != nil {
		p.warn(iteration, "cannot read former rejections of %s: %v", id, err)
		return unknown
	}
	return past
}

// warnOfReasons warns of a reason for which tasks are rejected repeatedly: its cause is not in a single task.
func (f finishedJob) warnOfReasons(steps []plan.Event, after State) {
	for _, s := range steps {
		task, _ := after.Plan.Task(s.ID)
		if reason := task.Text("reject"); s.Name == plan.EventRejected && reason != "" {
			if n := after.Plan.CountRejections(reason); n > 1 {
				f.warn("%d rejections have the same reason: %s; `git ralph issue add` records its cause", n, reason)
			}
		}
	}
}
