package pipeline

import (
	"slices"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// roundAfter returns the member of "meta" that counts the rounds of an item which moves to a state, where that begins one.
func (b *builder) roundAfter(it *Item, state string) []jsonl.Member {
	from := it.State
	if from == HumanNeeded {
		from = it.Escalated
	}
	after := *it
	after.State = state
	isOver := func(t Task) bool { return t.isFor(it.ID) && b.takesOn(&t, &after) }
	again := isLaterStep(b.items.firstStep(it), b.items.firstStep(&after), from) || slices.ContainsFunc(b.tasks, isOver)
	if state == HumanNeeded || !again {
		return nil
	}
	return []jsonl.Member{number(metaRound, it.Round+1)}
}

// takesOn reports whether a task is finished that takes an item on from the state that it is in.
func (b *builder) takesOn(t *Task, it *Item) bool {
	to := t.Step.ends()
	return t.derived && t.Done() && t.Step != StepSplit && b.isPresent(t) && t.Round >= it.Round &&
		slices.Contains(t.Step.begins(), it.State) && to != "" && to != it.State
}

// catchUp lets items follow tasks that are finished: one side of a merge may have finished them, while the other one moved the items.
func (b *builder) catchUp() error {
	tasks := slices.SortedStableFunc(slices.Values(b.tasks), func(a, b Task) int { return a.Step.place() - b.Step.place() })
	for _, t := range tasks {
		err := b.each(b.open(t.items()), func(it *Item) (plan.Change, error) {
			if !b.takesOn(&t, it) {
				return plan.Change{}, nil
			}
			return b.plan.MoveItem(it.ID, t.Step.ends(), "", time.Time{})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// repeat begins a round of items that went back, and adds what is to be done again for those of them that were planned: without that, what is left
// of the round before would be ready.
func (b *builder) repeat(ids []string) error {
	var planned []*Item
	for _, it := range b.open(ids) {
		if err := b.beginRound(it.ID); err != nil {
			return err
		}
		if slices.ContainsFunc(b.tasks, func(t Task) bool { return t.derived && t.Pending() && t.isFor(it.ID) }) {
			planned = append(planned, it)
		}
	}
	return b.extend(planned)
}

// beginRound lets the pending tasks of an item that went back wait no longer for what is to be done again: for tasks that are done, or
// accepted, of the step that is its next one now and of later ones. A report that awaits approval is about what was.
func (b *builder) beginRound(id string) error {
	first := b.items.firstStep(b.items.byID[id])
	for _, t := range slices.Clone(b.tasks) {
		if !t.derived || !t.Pending() || !slices.Contains(t.Members, id) {
			continue
		}
		deps := slices.DeleteFunc(t.Deps(), func(dep string) bool {
			item, step, _, found := parseTaskID(dep)
			if !found || item != id && item != t.Item || step.ofOneItem() && item != id || step.place() < first.place() {
				return false
			}
			on := b.task(dep)
			return on == nil || !on.Pending()
		})
		var meta []jsonl.Member
		if t.Awaits() {
			meta = []jsonl.Member{{Name: plan.AwaitsApproval}, {Name: metaVerdict}}
		}
		if err := b.did(b.plan.Edit(t.ID(), []jsonl.Member{texts("deps", deps)}, meta)); err != nil {
			return err
		}
	}
	return nil
}
