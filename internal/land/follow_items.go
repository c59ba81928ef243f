package land

import (
	"context"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// followItems changes the target's plan by what follows from landed work for the items that it was done for. Two branches may have
// finished the last research of a group: neither could know.
func (l *lander) followItems(ctx context.Context) error {
	return l.changePlan(ctx, &PlanChange{Do: l.follows})
}

// claimed returns the tasks that have claims.
func (l *lander) claimed() map[string]bool {
	claimed := map[string]bool{}
	for id, s := range l.seen.claims {
		claimed[id] = s.Held.Exists()
	}
	return claimed
}

// follows is what followItems changes. The error is plan.ErrNothing where there are no items.
func (l *lander) follows(p *plan.Plan, in PlanInputs) (plan.Change, error) {
	if len(p.Of(plan.KindItem)) == 0 {
		return plan.Change{}, plan.ErrNothing
	}
	return pipeline.FollowLanding(p, pipeline.Following{Head: in.Head, Stamp: l.st.Stamp(), Claimed: in.Claimed, Integration: l.o.Integration})
}
