package pipeline

import (
	"time"

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
		round := b.roundAfter(it, state)
		change, err := p.MoveItem(id, state, reason, now, round...)
		if err != nil {
			return plan.Change{}, err
		}
		if err := b.did(change, nil); err != nil {
			return plan.Change{}, err
		}
		if len(round) > 0 {
			if err := b.repeat([]string{id}); err != nil {
				return plan.Change{}, err
			}
		}
		if err := b.cancelFinal(); err != nil {
			return plan.Change{}, err
		}
		err = b.settle()
		return b.change, err
	})
}
