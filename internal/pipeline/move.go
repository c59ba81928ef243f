package pipeline

import (
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Move moves an item to a state, which must be an allowed move. Where it goes back, what was done for it has to be done again: a new
// round begins. The tasks of an item that is done or canceled are cancelled.
func Move(p *plan.Plan, id, state, reason string, now time.Time, claimed map[string]bool) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		b := newBuilder(p, claimed)
		it := b.items.byID[id]
		if it == nil {
			return plan.Change{}, &UnknownItemError{id}
		}
		if it.State != state {
			if err := CheckMove(it.State, state); err != nil {
				return plan.Change{}, err
			}
		}
		change, err := p.MoveItem(id, state, reason, now, b.roundAfter(it, state)...)
		if err != nil {
			return plan.Change{}, err
		}
		if err := b.did(change, nil); err != nil {
			return plan.Change{}, err
		}
		if err := b.cancelFinal(); err != nil {
			return plan.Change{}, err
		}
		err = b.settle()
		return b.change, err
	})
}

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
