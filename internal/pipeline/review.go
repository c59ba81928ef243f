package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// The verdicts of a review.
const (
	Approved       = "APPROVED"
	NeedsIteration = "NEEDS_ITERATION"
)

// maxIterations is how many plans a review sends back before a person is needed.
const maxIterations = 3

// review finishes a review by its verdict.
func (f finisher) review(id string) error {
	t := f.task(id)
	if t == nil { // what was finished with it has taken it out of the plan
		return &plan.UnknownIDError{Kind: plan.KindTask, ID: id}
	}
	if waits := f.plan.BlockedBy(t.Record); len(waits) > 0 && !f.Force {
		return &plan.BlockedError{ID: id, WaitsFor: waits}
	}
	if f.Head == "" {
		return plan.ErrNoHead
	}
	switch f.Verdict {
	case Approved:
		if f.Gate {
			return f.await(t)
		}
		return f.approve(t)
	case NeedsIteration:
		return f.iterate(t, true)
	}
	return &ResultError{id, "verdict", f.Verdict, OneOf([]string{Approved, NeedsIteration})}
}

// await keeps the report of a review until a person approves the plan.
func (f finisher) await(t *Task) error {
	if err := f.keepResult(StepReview, t.Members); err != nil {
		return err
	}
	meta := append(f.meta(t.Record), jsonl.Member{Name: plan.AwaitsApproval, Value: "true"})
	return f.did(f.plan.Edit(t.ID(), nil, append(meta, f.Meta...)))
}

// approve finishes a review and accepts it, with its plan: the work can begin.
func (f finisher) approve(t *Task) error {
	id, members := t.ID(), t.Members
	if err := f.keepResult(StepReview, members); err != nil {
		return err
	}
	opts := f.DoneOptions
	opts.MetaOf = func(task plan.Record) []jsonl.Member {
		return append(f.meta(task), jsonl.Member{Name: plan.AwaitsApproval})
	}
	if err := f.did(f.plan.Done([]string{id}, opts, f.stamp)); err != nil {
		return err
	}
	accepted := []string{id}
	if done := f.planOf(f.task(id)); done != nil && done.Done() {
		accepted = []string{done.ID(), id}
	}
	if err := f.did(f.plan.Accept(accepted)); err != nil {
		return err
	}
	return f.move(members, StepReview, InProgress, "", false)
}

// planOf returns the newest task of the plan that a review is about, nil where there is none.
func (b *builder) planOf(review *Task) *Task {
	var newest *Task
	for i := range b.tasks {
		t := &b.tasks[i]
		isOf := slices.Contains(review.Deps(), t.ID()) || t.Item == review.Item && slices.Equal(t.Members, review.Members)
		if t.Step == StepPlan && isOf && (newest == nil || t.Round > newest.Round) {
			newest = t
		}
	}
	return newest
}

// iterate sends the plan back that a review is about: it is rejected, or, where its task is gone, made again. A review that has sent
// back too many leaves it to a person what to do next. A person's own rejection is not counted.
func (f finisher) iterate(t *Task, counts bool) error {
	id, members := t.ID(), t.Members
	if strings.TrimSpace(f.Reason) == "" {
		return &ResultError{id, "reason", f.Reason, "what is wrong with the plan"}
	}
	if err := f.keepResult(StepReview, members); err != nil {
		return err
	}
	n := numberIn(t.Meta(), metaIterations)
	if counts {
		n++
	}
	meta := append(f.meta(t.Record), number(metaIterations, n), jsonl.TextMember(metaVerdict, NeedsIteration), jsonl.Member{Name: plan.AwaitsApproval})
	if n > maxIterations {
		meta = append(meta, jsonl.Member{Name: metaIterations})
	}
	sent := f.planOf(t)
	var changes []jsonl.Member
	if sent != nil {
		changes = append(changes, jsonl.ListMember("deps", including(t.Deps(), sent.ID())))
	}
	if err := f.did(f.plan.Edit(id, changes, append(meta, f.Meta...))); err != nil {
		return err
	}
	if sent != nil && sent.Done() {
		if err := f.did(f.plan.Reject(sent.ID(), f.Reason)); err != nil {
			return err
		}
	}
	if n > maxIterations {
		return f.move(members, StepReview, HumanNeeded, fmt.Sprintf("%d plans were sent back, the last one because: %s", n, f.Reason), sent == nil)
	}
	if err := f.move(members, StepReview, ReadyForPlan, f.Reason, sent == nil); err != nil {
		return err
	}
	if sent != nil {
		return nil
	}
	if err := f.repeat(members); err != nil {
		return err
	}
	return f.settle()
}

// A Verdict is what was said last of the plan that a review is about, while the review is pending. It is empty for other tasks.
type Verdict struct {
	verdict, reason string
	iterations      int
	awaits          bool
}

// VerdictOf returns the verdict that is there in a task.
func VerdictOf(task plan.Record) Verdict {
	meta := task.Meta()
	return Verdict{textIn(meta, metaVerdict), textIn(meta, metaReason), numberIn(meta, metaIterations), (&Task{Record: task}).Awaits()}
}

// IsReported reports whether a task is a review with a verdict that it waits because of: for another plan, or for a person.
func IsReported(p *plan.Plan, task plan.Record) bool {
	return task.Pending() && textIn(task.Meta(), metaVerdict) != "" && task.IsOfItem() && len(p.BlockedBy(task)) > 0
}
