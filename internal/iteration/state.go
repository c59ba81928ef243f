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
}

// Read returns the state of a worktree. The error may be a *plan.InvalidError, for a plan that an agent broke.
func Read(ctx context.Context, st *store.Store) (State, error) {
	snap, err := st.View(ctx)
	if err != nil {
		return State{}, err
	}
	p, err := snap.Valid()
	if err != nil {
		return State{}, err
	}
	if snap.Missing {
		p = &plan.Plan{} // an agent deleted it: HEAD's plan is not what it left
	}
	head, err := st.Repo().Head(ctx)
	if err != nil {
		return State{}, err
	}
	branch, err := st.Repo().Branch(ctx)
	if err != nil {
		return State{}, err
	}
	return State{Plan: p, Next: schedule.Of(p).Next(), Head: head, Branch: branch, Operation: st.Repo().Operations().Unfinished()}, nil
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
