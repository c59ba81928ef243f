package iteration

import (
	"slices"

	"git-ralph/internal/plan"
)

// A planRejections finds the tasks of one plan and why they were rejected.
type planRejections struct {
	tasks      plan.RecordIndex
	rejections map[string][]string // why attempts were rejected, by the task's id
}

func planRejectionsOf(p *plan.Plan) *planRejections {
	c := &planRejections{plan.NewRecordIndex(p.Of(plan.KindTask)), map[string][]string{}}
	for _, r := range p.Of(plan.KindReject) {
		if named := r.Attempt(); named != (plan.Attempt{}) { // else the task was superseded before anyone did it
			c.rejections[r.ID()] = append(c.rejections[r.ID()], r.Text("reason"))
		}
	}
	return c
}

// reasons lists why the plan says that a task, and the one that it superseded, was rejected.
func (c *planRejections) reasons(task plan.Record) []string {
	return slices.Concat(c.rejections[task.Text("supersedes")], c.rejections[task.ID()])
}

// newRejections counts the rejections of a task since before. For a new task it includes those of the task that it
// superseded.
func (c *planRejections) newRejections(task plan.Record, before *planRejections) int {
	since := func(id string) int { return len(c.rejections[id]) - len(before.rejections[id]) }
	if _, old := before.tasks.Find(task.ID()); old {
		return since(task.ID())
	}
	return since(task.ID()) + since(task.Text("supersedes"))
}
