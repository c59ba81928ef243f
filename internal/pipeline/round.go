package pipeline

import (
	"iter"
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
	first := b.items.firstStep(&after)
	again := isLaterStep(b.items.firstStep(it), first, from)
	for step, items := range b.over() {
		isBack := step.takesOn(state) || first != "" && step.place() > first.place() // what is to be done again may be gone, once it was accepted
		again = again || isBack && slices.Contains(items, it)
	}
	if state == HumanNeeded || !again {
		return nil
	}
	round := it.Round
	for _, t := range b.tasks {
		if t.derived && t.isFor(it.ID) {
			round = max(round, t.Round)
		}
	}
	return []jsonl.Member{number(metaRound, round+1)}
}

// catchUp lets items follow what is over: one side of a merge may have finished it, while the other one moved the items.
func (b *builder) catchUp() error {
	for step, items := range b.over() {
		err := b.each(b.openOf(items), func(it *Item) (plan.Change, error) {
			if !step.takesOn(it.State) {
				return plan.Change{}, nil
			}
			return b.plan.MoveItem(it.ID, step.ends(), "", time.Time{})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// over returns each step that is finished, or accepted, in the present round, and the items that it was done for, in the order of the steps.
func (b *builder) over() iter.Seq2[Step, []*Item] {
	return func(yield func(Step, []*Item) bool) {
		for _, t := range slices.Clone(b.tasks) {
			isOver := t.Step == StepResearch && t.derived && t.Done() && b.isPresent(&t)
			if isOver && !yield(t.Step, []*Item{b.items.byID[t.Item]}) {
				return
			}
		}
		for _, c := range b.chains() {
			for _, step := range chainSteps() {
				if b.isOver(c, step) && !yield(step, c.members) {
					return
				}
			}
		}
	}
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
		if err := b.did(b.plan.Edit(t.ID(), []jsonl.Member{jsonl.ListMember("deps", deps)}, meta)); err != nil {
			return err
		}
	}
	return nil
}
