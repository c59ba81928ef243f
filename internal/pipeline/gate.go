package pipeline

import (
	"fmt"
	"slices"

	"git-ralph/internal/plan"
)

// A ReviewMode says who decides about plans.
type ReviewMode string

// The modes, as ralph.reviewMode names them.
const (
	AutoReview        ReviewMode = "auto"        // the validator
	InteractiveReview ReviewMode = "interactive" // a person, after the validator
)

// ParseReviewMode reads the name of a mode. The default is AutoReview.
func ParseReviewMode(text string) (ReviewMode, error) {
	switch m := ReviewMode(text); m {
	case "":
		return AutoReview, nil
	case AutoReview, InteractiveReview:
		return m, nil
	}
	return "", fmt.Errorf("invalid review mode %q: want %s or %s", text, AutoReview, InteractiveReview)
}

// A NotAwaitingError says that there is no plan of an item for a person to decide about.
type NotAwaitingError struct{ Item Ref }

func (e *NotAwaitingError) Error() string {
	return fmt.Sprintf("invalid item %q: want one whose plan is reviewed and awaits approval", e.Item)
}

// Hint says where to look.
func (e *NotAwaitingError) Hint() string {
	return "`git ralph pipeline status` shows what waits for what"
}

// Approve finishes the reviews of items, whose plans a person approves. Each of them must be reviewed and await that.
func Approve(p *plan.Plan, ids []string, f Finishing, stamp plan.Stamp) (plan.Change, error) {
	f.Verdict, f.Force = Approved, true
	return decide(p, ids, f, stamp, func(f finisher, t *Task) error {
		if !t.Awaits() {
			return &NotAwaitingError{f.items.byID[t.Item].Ref()}
		}
		waits := f.needed(t)
		if again := f.planOf(t); again != nil && again.Pending() { // it was sent back meanwhile, such as in another clone
			waits = append(waits, again.ID())
		}
		if len(waits) > 0 {
			return &plan.BlockedError{ID: t.ID(), WaitsFor: waits}
		}
		return f.approve(t)
	})
}

// needed returns the items of a task that a person is needed for.
func (b *builder) needed(t *Task) []string {
	var needed []string
	for _, it := range b.open(t.Members) {
		if it.State == HumanNeeded {
			needed = append(needed, it.ID)
		}
	}
	return needed
}

// Disapprove sends the plan of an item back, which is done and not approved, whether it is reviewed already or not.
func Disapprove(p *plan.Plan, id string, f Finishing, stamp plan.Stamp) (plan.Change, error) {
	f.Verdict = NeedsIteration
	return decide(p, []string{id}, f, stamp, func(f finisher, t *Task) error {
		if waits := f.plan.BlockedBy(t.Record); len(waits) > 0 && !t.Awaits() {
			return &NotAwaitingError{f.items.byID[t.Item].Ref()}
		}
		return f.iterate(t, false)
	})
}

// decide does what a person decided about the reviews of items, each review once.
func decide(p *plan.Plan, ids []string, f Finishing, stamp plan.Stamp, about func(finisher, *Task) error) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		work := finisher{newBuilder(p, f.Claimed), f, stamp}
		if err := work.catchUp(); err != nil {
			return plan.Change{}, err
		}
		var reviews []string
		for _, id := range ids {
			review, err := work.pendingReview(id)
			if err != nil {
				return plan.Change{}, err
			}
			if !slices.Contains(reviews, review.ID()) {
				reviews = append(reviews, review.ID())
			}
		}
		for _, id := range reviews {
			if err := about(work, work.task(id)); err != nil {
				return plan.Change{}, err
			}
		}
		return work.change, nil
	})
}

// pendingReview returns the review of an item, or of its group: the one that awaits a decision, if any does.
func (f finisher) pendingReview(id string) (*Task, error) {
	it := f.items.byID[id]
	if it == nil {
		return nil, &UnknownItemError{id}
	}
	var found *Task
	for i := range f.tasks {
		t := &f.tasks[i]
		isOf := t.Step == StepReview && t.Pending() && (t.Item == id || slices.Contains(f.open(t.Members), it))
		if isOf && (found == nil || t.Awaits()) {
			found = t
		}
	}
	if found == nil {
		return nil, &NotAwaitingError{it.Ref()}
	}
	return found, nil
}
