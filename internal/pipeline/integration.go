package pipeline

import (
	"slices"
	"time"

	"git-ralph/internal/plan"
)

// An Integration says who finishes the last two steps of items, Create PR and Merge PR. No agent does.
type Integration string

// Who finishes them.
const (
	ByLanding      Integration = ""              // the landing, in the target
	ByPullRequests Integration = "pull requests" // whoever opens and merges these: landing leaves both steps alone
)

// isIntegration reports whether a step is about work that is finished: to make it part of the target.
func (s Step) isIntegration() bool { return s == StepPR || s == StepMerge }

// NotForAgents returns the tasks of a plan that no agent is started for: pending ones that an Integration finishes; and done ones that
// nobody verifies, since landing accepts them, or the review of a plan accepts that. It is nil in plans without items.
func NotForAgents(p *plan.Plan) map[string]bool {
	tasks := TasksOf(p)
	if len(tasks) == 0 {
		return nil
	}
	reviewed := map[string]bool{} // plans by their ids, and items
	for _, t := range tasks {
		if t.Step == StepReview && t.Pending() {
			reviewed[t.Item] = true
			for _, id := range t.Deps() {
				reviewed[id] = true
			}
		}
	}
	not := map[string]bool{}
	for _, t := range tasks {
		isReviewed := t.Step == StepPlan && (reviewed[t.ID()] || reviewed[t.Item])
		if t.Pending() && t.Step.isIntegration() || t.Done() && (t.Step.isIntegration() || t.isProvedByLanding() || isReviewed || t.CodeIsElsewhere()) {
			not[t.ID()] = true
		}
	}
	return not
}

// isProvedByLanding reports whether a task is accepted once it has landed: what it wrote is there. One with a check is accepted when that passes.
func (t *Task) isProvedByLanding() bool { return t.Step.ofOneItem() && !t.Has("check") }

// integrate finishes the pull requests of work that has landed, and the merges of work that is accepted, too.
func (f finisher) integrate() error {
	for _, step := range []Step{StepPR, StepMerge} {
		var due []string
		for _, t := range f.tasks {
			isDue := t.Step == step && t.Pending() && !f.claimed[t.ID()] && len(f.plan.BlockedBy(t.Record)) == 0
			if isDue && (step == StepPR || len(f.unproved(&t)) == 0) {
				due = append(due, t.ID())
			}
		}
		if err := f.done(due); err != nil {
			return err
		}
	}
	return nil
}

// unproved returns the tasks of the plan that have to be accepted before a merge: what its pull requests were made of.
func (b *builder) unproved(merge *Task) []string {
	var ids []string
	isOf := func(t *Task) bool { return slices.ContainsFunc(t.Members, merge.isFor) }
	for i := range b.tasks {
		t := &b.tasks[i]
		switch {
		case t.Step == StepImplement && isOf(t):
			ids = including(ids, t.ID())
		case t.Step == StepPR && (isOf(t) || slices.Contains(merge.Deps(), t.ID())):
			for _, id := range t.Deps() { // an Implement that was decomposed left others in its place
				if on, found := b.plan.Task(id); found && (on.Pending() || on.Done()) {
					ids = including(ids, id)
				}
			}
		}
	}
	return ids
}

// sendBack moves items back to In Progress whose Implement was rejected after their pull request was created: a new round begins.
func (b *builder) sendBack() error {
	isPending := func(id string) bool {
		on, found := b.plan.Task(id)
		return found && on.Pending()
	}
	var again set
	for _, t := range b.tasks {
		if t.Step != StepPR || !t.Done() || !b.isPresent(&t) || !slices.ContainsFunc(t.Deps(), isPending) {
			continue
		}
		for _, it := range b.open(t.Members) {
			if it.State == InReview {
				again.add(it)
			}
		}
	}
	if len(again.items) == 0 {
		return nil
	}
	var ids []string
	err := b.each(again.items, func(it *Item) (plan.Change, error) {
		ids = append(ids, it.ID)
		return b.plan.MoveItem(it.ID, InProgress, "", time.Time{}, b.roundAfter(it, InProgress)...)
	})
	if err != nil {
		return err
	}
	return b.repeat(ids)
}

// acceptIntegrated accepts merges that are done, and the pull requests that no merge waits for any more.
func (b *builder) acceptIntegrated() error {
	awaited := map[string]bool{}
	for _, t := range b.tasks {
		if t.Step == StepMerge && t.Pending() {
			for _, id := range t.Deps() {
				awaited[id] = true
			}
		}
	}
	return b.accept(func(t *Task) bool { return t.Step.isIntegration() && !awaited[t.ID()] })
}

// accept accepts the done tasks of a kind.
func (b *builder) accept(is func(*Task) bool) error {
	var ids []string
	for i := range b.tasks {
		if t := &b.tasks[i]; t.Done() && is(t) {
			ids = append(ids, t.ID())
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return b.did(b.plan.Accept(ids))
}
