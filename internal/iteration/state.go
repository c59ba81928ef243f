package iteration

import (
	"context"

	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// A State is the plan, HEAD and git's operation at one moment.
type State struct {
	Plan      *plan.Plan
	Next      schedule.Next // what an iteration has to do
	Head      string        // "" before the first commit
	Branch    string        // "" where HEAD is detached
	Operation string        // what git is in the middle of, such as a merge; "" for nothing
	Work      *Work         // in place of what the plan has to do; else nil
	Invalid   error         // why the plan cannot be read; only beside other work, which does not need it
}

// Read returns the state of a worktree. The error may be a *plan.InvalidError, for a plan that an agent broke.
func Read(ctx context.Context, st *store.Store) (State, error) {
	p, err := readPlan(ctx, st)
	if err != nil {
		return State{}, err
	}
	return around(ctx, st, State{Plan: p})
}

// ReadBeside is Read for a run that works on a Source, which needs no plan: one that cannot be read counts as empty.
func ReadBeside(ctx context.Context, st *store.Store) (State, error) {
	p, err := readPlan(ctx, st)
	if err != nil {
		p = &plan.Plan{}
	}
	return around(ctx, st, State{Plan: p, Invalid: err})
}

func readPlan(ctx context.Context, st *store.Store) (*plan.Plan, error) {
	snap, err := st.View(ctx)
	if err != nil {
		return nil, err
	}
	p, err := snap.Valid()
	if err == nil && snap.Missing {
		p = &plan.Plan{} // an agent deleted it: HEAD's plan is not what it left
	}
	return p, err
}

// around adds to a state what is next in its plan, and how git is.
func around(ctx context.Context, st *store.Store, s State) (State, error) {
	var err error
	if s.Head, err = st.Repo().Head(ctx); err != nil {
		return State{}, err
	}
	if s.Branch, err = st.Repo().Branch(ctx); err != nil {
		return State{}, err
	}
	s.Next, s.Operation = schedule.Of(s.Plan).Next(), st.Repo().Operations().Unfinished()
	return s, nil
}

// itemID returns the id of what is next, "" where there is none.
func (s State) itemID() string {
	switch {
	case s.Work != nil:
		return s.Work.ID
	case s.Next.Item == nil:
		return ""
	}
	return s.Next.Item.ID()
}
