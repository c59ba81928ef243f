package claim

// Task is what the target branch shows of a task.
type Task struct {
	Pending bool
	After   string // attempt of its newest tombstone, "" for none: the round of work
}

// Target is what the plan at the tip of the target branch shows. A task that it lacks is not pending.
type Target map[string]Task

// Round reports whether the target shows the task of a claim as pending in the round that the claim names.
func (t Target) Round(c Claim) bool {
	task, there := t[c.ID]
	return there && task.Pending && task.After == c.After
}
