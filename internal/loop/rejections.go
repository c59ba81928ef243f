package loop

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A History tells for which reasons a task, and those whose place it took, were rejected, the oldest first, as the commits
// of HEAD have it. The plan alone forgets them: a new planning clears tombstones.
type History func(ctx context.Context, id string) (reasons []string, err error)

// rejections tells why a task, and the one whose place it took, was rejected before: by the history, by tombstones that
// may not be committed yet, and by its own field.
func (it *iteration) rejections(ctx context.Context, task plan.Record) string {
	p := it.before.plan
	ids := []string{task.ID()}
	if former := task.Text("supersedes"); former != "" {
		ids = append([]string{former}, ids...)
	}
	var lines []string
	add := func(reason string) {
		line := "- " + strings.Join(strings.Fields(reason), " ")
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, reason := range it.told(ctx, task) {
		add(reason)
	}
	for _, r := range p.Of(plan.KindReject) {
		if slices.Contains(ids, r.ID()) {
			add(r.Text("reason"))
		}
	}
	if reason := task.Text("reject"); reason != "" {
		add(reason)
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
	if it.History == nil || !cameBack {
		return nil
	}
	reasons, err := it.History(ctx, task.ID())
	if err != nil && it.Config.Run != nil { // a preview has none
		it.warn(it.n, "former rejections of %s are not known: %v", task.ID(), err)
	}
	return reasons
}
