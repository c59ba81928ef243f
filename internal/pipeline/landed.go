package pipeline

import (
	"git-ralph/internal/plan"
)

// FollowLanding changes a plan by what follows from work that has landed in it: research, triage and splits are accepted, since the documents that they
// wrote are there, and a group whose last research came along is divided into its streams. A task with a check is not accepted: that is to prove it.
func FollowLanding(p *plan.Plan, claimed map[string]bool) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		b := newBuilder(p, claimed)
		if err := b.catchUp(); err != nil {
			return plan.Change{}, err
		}
		if err := b.settle(); err != nil {
			return plan.Change{}, err
		}
		var ids []string
		for _, t := range b.tasks {
			if t.Step.ofOneItem() && t.derived && t.Done() && !t.Has("check") {
				ids = append(ids, t.ID())
			}
		}
		if len(ids) > 0 {
			if err := b.did(p.Accept(ids)); err != nil {
				return plan.Change{}, err
			}
		}
		return b.change, nil
	})
}
