package iteration

import (
	"context"
	"os"
	"path/filepath"

	"git-ralph/internal/changes"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/report"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
)

// ItemRules returns how tasks of items are finished: whether a person approves plans, and which tasks somebody works on.
type ItemRules func(ctx context.Context) (pipeline.Finishing, error)

// itemRules returns the rules, of which there may be none.
func (p Workspace) itemRules(ctx context.Context) (pipeline.Finishing, error) {
	if p.ItemRules == nil {
		return pipeline.Finishing{}, nil
	}
	return p.ItemRules(ctx)
}

// work is what an agent reports of a task.
type work struct {
	report.Build
	result pipeline.Result
	report report.Report // of the document; none for code
}

// readWork reads a report on a task. That on a task of an item has members of its own, unless its step is done by code.
func readWork(p *plan.Plan, task plan.Record, r report.Report) (work, error) {
	t, _ := pipeline.TaskOf(p, task)
	if t.Step == "" || t.Step.IsCode() {
		b, err := r.Build()
		return work{Build: b}, err
	}
	d, err := r.Document()
	w := work{d.Build, pipeline.Result{Artifact: d.Artifact}, r}
	switch t.Step {
	case pipeline.StepResearch:
		w.result.Files = d.Modifies
	case pipeline.StepReview:
		w.result.Verdict, w.result.Reason = d.Verdict, d.Reason
	case pipeline.StepTriage:
		w.result.Verdict, w.result.Reason, w.result.Estimate = d.Action, d.Reason, d.Estimate
	case pipeline.StepSplit:
		w.result.SubItems = d.NewSubItems
	}
	return w, err
}

// checkWork refuses a report on a task of an item whose document is not there.
func (f finishedJob) checkWork(task plan.Record, w work) error {
	t, _ := pipeline.TaskOf(f.State.Plan, task)
	if err := t.CheckReport(w.result); err != nil || w.result.Artifact == "" {
		return err
	}
	root, missing := f.Store.Repo().Root(), &pipeline.ResultError{
		ID: task.ID(), Part: "artifact", Value: w.result.Artifact, Want: "the path of a file in the worktree, from its root",
	}
	names := changes.InsideWorktree([]string{w.result.Artifact})
	if len(names) == 0 || safefile.Check(root, names[0]) != nil {
		return missing
	}
	if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(names[0]))); err != nil || !info.Mode().IsRegular() {
		return missing
	}
	return nil
}

// finish finishes a task with what was reported of it.
func (w work) finish(p *plan.Plan, id string, rules pipeline.Finishing, in store.Inputs) (plan.Change, error) {
	rules.DoneOptions, rules.Result = plan.DoneOptions{Head: in.Head}, w.result
	rules.OnTarget = false // what follows is not the agent's doing: the run does it
	return pipeline.Finish(p, []string{id}, rules, in.Stamp)
}

// isReviewed reports whether the task was a review that has a verdict now: it approved a plan, and is accepted with it, or it waits for
// another plan or for a person.
func (f finishedJob) isReviewed(now *plan.Plan) bool {
	task, found := now.Task(f.ID())
	return f.isReview() && (!found || pipeline.IsReported(now, task))
}

// isReview reports whether the task of the iteration is a review.
func (f finishedJob) isReview() bool { return f.itemTask().Step == pipeline.StepReview }

// hasApproved reports whether a task was a review when the iteration began, and has approved a plan since, which accepts both in one commit.
func (f finishedJob) hasApproved(id string, now *plan.Plan) bool {
	_, found := now.Task(id)
	t := f.taskBefore(id)
	return t.Step == pipeline.StepReview && !found && pipeline.Of(now).State(t.Item) == pipeline.InProgress
}

// itemTask returns what the task of the iteration was to the pipeline when it began; zero where it belongs to no item.
func (f finishedJob) itemTask() pipeline.Task { return f.taskBefore(f.ID()) }

func (f finishedJob) taskBefore(id string) pipeline.Task {
	task, _ := f.State.Plan.Task(id)
	t, _ := pipeline.TaskOf(f.State.Plan, task)
	return t
}
