package pipeline

import (
	"slices"

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
	if state == HumanNeeded || !isLaterStep(b.items.firstStep(it), b.items.firstStep(&after), from) {
		return nil
	}
	return []jsonl.Member{number(metaRound, it.Round+1)}
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
