package loop

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// Rejections tell for which reasons a task, and those whose place it took, were rejected, the oldest first.
type Rejections func(id string) (reasons []string)

// A History reads them from the commits of HEAD. The plan alone forgets them: a new planning clears tombstones.
type History func(ctx context.Context) (Rejections, error)

// rejections returns why a task, and the one whose place it took, was rejected before: by the history, by tombstones that
// may not be committed yet, and by its own field.
func (it *iteration) rejections(ctx context.Context, task plan.Record) string {
	reasons := append(it.told(ctx, task), catalogueOf(it.before.plan).reasons(task)...)
	if last := task.Text("reject"); last != "" {
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

// told asks the history, of a task that came back alone: reading it takes longer than all else that the loop does. A
// history that cannot be read is no reason to stop; the plan knows the last reason.
func (it *iteration) told(ctx context.Context, task plan.Record) []string {
	cameBack := task.Text("reject") != "" || task.Text("supersedes") != "" || tombstones(it.before.plan, task.ID()) > 0
	if !cameBack {
		return nil
	}
	return it.past(ctx, task.ID())(task.ID())
}

// past reads the history, for the task with an id first of all.
func (it *iteration) past(ctx context.Context, id string) Rejections {
	unknown := func(string) []string { return nil }
	if it.History == nil {
		return unknown
	}
	past, err := it.History(ctx)
	if err == nil {
		return past
	}
	if it.Config.Run != nil { // a preview has none
		it.warn(it.n, "former rejections of %s are not known: %v", id, err)
	}
	return unknown
}

// suggestIssues warns of a reason for which tasks are rejected again and again: something is behind it that is no task's.
func (it *iteration) suggestIssues(after state) {
	for _, s := range it.steps {
		task, _ := after.plan.Task(s.ID)
		if reason := task.Text("reject"); s.What == plan.EventRejected && reason != "" {
			if n := after.plan.RejectedFor(reason); n > 1 {
				it.warn(it.n, "%d rejections have one reason: %s; `git ralph issue add` records what is behind it", n, reason)
			}
		}
	}
}
