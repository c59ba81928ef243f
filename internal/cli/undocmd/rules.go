package undocmd

import (
	"context"
	"errors"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/evidence"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/undo"
)

// rules are those of other commands that redo is no way around. What they decided when the change was made first may have changed since.
type rules struct {
	verifiedOnly bool // tasks are accepted by their checks alone
	landed       planio.RequireLanded
}

func rulesOf(ctx context.Context, st *store.Store) (r rules, err error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return r, err
	}
	if r.verifiedOnly, err = evidence.AcceptsVerifiedOnly(settings); err != nil {
		return r, err
	}
	r.landed, err = planio.RequireLandedFrom(settings, st)
	return r, err
}

// permit returns an error where a command would refuse what taking a change back does.
func (t *taking) permit(ctx context.Context, s undo.Step, r undo.Revert) error {
	accepted := r.Accepted()
	if t.rules.verifiedOnly && len(accepted) > 0 {
		return &cmdline.HintedError{
			Err:  errors.New("ralph.accept = verified: a task is accepted by its checks, not by " + wordOf(s.Redo)),
			Hint: "`git ralph task accept` runs them",
		}
	}
	tasks := make([]*plan.Record, len(accepted))
	for i := range accepted {
		tasks[i] = &accepted[i]
	}
	if err := t.rules.landed.Check(ctx, t.env, tasks); err != nil {
		return err
	}
	if r.Refused != nil && !t.Force {
		return &cmdline.HintedError{Err: r.Refused, Hint: "--force makes the change all the same"}
	}
	return nil
}
