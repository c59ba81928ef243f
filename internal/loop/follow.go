package loop

import (
	"context"
	"errors"

	"git-ralph/internal/iteration"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// followed is target, after what follows from finished work. The plan is read again only where anything did.
func (l *Loop) followed(ctx context.Context) (target, error) {
	t, err := l.target(ctx)
	if err != nil {
		return t, err
	}
	changed, err := l.follow(ctx, t.State)
	if err != nil || !changed {
		return t, err
	}
	return l.target(ctx)
}

// follow changes the plan by what follows from finished work for items where the branch is the target, so that nothing is to land. It reports
// whether the plan changed, which is then another one than that of the state.
func (l *Loop) follow(ctx context.Context, s iteration.State) (changed bool, err error) {
	rules, due, err := l.follows(ctx, s)
	if err != nil || !due {
		return false, err
	}
	update := l.Update
	if update == nil {
		update = func(ctx context.Context, st *store.Store, r store.Request) (store.Result, error) {
			return st.Update(ctx, r)
		}
	}
	_, err = update(ctx, l.Store, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return pipeline.FollowLanding(p, rules.Following(in.Head, in.Stamp))
	}})
	if errors.Is(err, plan.ErrNothing) {
		return false, nil
	}
	return err == nil, err
}

// follows reports whether anything is due for follow.
func (l *Loop) follows(ctx context.Context, s iteration.State) (rules pipeline.Finishing, due bool, err error) {
	if l.Items == nil || l.Goals.Work != nil || l.Goals.Plan || s.Head == "" || s.Operation != "" || l.memory.Stuck != nil || len(s.Plan.Of(plan.KindItem)) == 0 {
		return rules, false, nil
	}
	rules, err = l.Items(ctx)
	return rules, err == nil && rules.OnTarget && pipeline.Follows(s.Plan, rules.Claimed, rules.Integration), err
}
