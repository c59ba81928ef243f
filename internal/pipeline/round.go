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
	again, round := isLaterStep(b.items.firstStep(it), b.items.firstStep(&after), from), it.Round
	for i := range b.tasks {
		if t := &b.tasks[i]; t.derived && t.isFor(it.ID) {
			again, round = again || b.isPresent(t) && t.takesOn(&after), max(round, t.Round)
		}
	}
	if state == HumanNeeded || !again {
		return nil
	}
	return []jsonl.Member{number(metaRound, round+1)}
}

// takesOn reports whether the task is finished, which takes an item on from the state that it is in.
func (t *Task) takesOn(it *Item) bool {
	return t.derived && t.Done() && !t.Step.decides() && t.Step.ends() != it.State && slices.Contains(t.Step.begins(), it.State)
}

// catchUp lets items follow tasks that are finished: one side of a merge may have finished them, while the other one moved the items.
func (b *builder) catchUp() error {
	for _, t := range slices.Clone(b.tasks) {
		if it := b.items.byID[t.Item]; t.Step == StepResearch && b.isPresent(&t) && t.takesOn(it) {
			if err := b.moveOn([]*Item{it}, t.Step); err != nil {
				return err
			}
		}
	}
	for _, c := range b.chains() {
		for _, step := range chainSteps() {
			t := c.tasks[step]
			if isOver := t != nil && t.derived && t.Done() || t == nil && b.isAccepted(c, step); !isOver {
				continue
			}
			if err := b.moveOn(b.openOf(c.members), step); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveOn moves items on from the states that a step begins in.
func (b *builder) moveOn(items []*Item, step Step) error {
	return b.each(items, func(it *Item) (plan.Change, error) {
		if !slices.Contains(step.begins(), it.State) {
			return plan.Change{}, nil
		}
		return b.plan.MoveItem(it.ID, step.ends(), "", time.Time{})
	})
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
