package iteration

import (
	"context"
	"errors"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
	"git-ralph/internal/report"
	"git-ralph/internal/schedule"
)

// applyReport checks what the agent reported by a block, and applies it as one transaction. What cannot be used becomes
// feedback; an error is one that is not the agent's.
func (a attempt) applyReport(ctx context.Context, now State) (applied, error) {
	r, err := report.Find(a.ended.Output, a.prompt.text)
	switch {
	case errors.Is(err, report.ErrNone):
		return applied{}, nil
	case errors.Is(err, report.ErrExample) && isProgress(plan.Events(a.State.Plan, now.Plan)):
		return applied{}, nil // it printed its prompt, and changed the plan itself
	}
	var done applied
	if err == nil {
		done, err = a.apply(ctx, now, r.Masked(a.Masker.Object))
	}
	if err != nil && causedByReport(err) {
		done.feedback, err = a.Masker.Text(err.Error()), nil
	}
	return done, err
}

// causedByReport reports whether an error came of what the agent reported, so that another answer would repair it.
func causedByReport(err error) bool {
	for _, target := range [...]error{report.ErrUnusable, commit.ErrCommitRefused, commit.ErrBadPath, plan.ErrNoSubtasks, plan.ErrNoSpec} {
		if errors.Is(err, target) {
			return true
		}
	}
	return is[*plan.FieldError](err) || is[*plan.CycleError](err) || is[*plan.UnknownIDError](err) || is[*plan.AmbiguousIDError](err) ||
		is[*plan.StateError](err) || is[*plan.BlockedError](err) || is[*plan.DependantsError](err)
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func (a attempt) apply(ctx context.Context, now State, r report.Report) (applied, error) {
	switch a.Stage() {
	case schedule.Build:
		return a.applyBuild(ctx, now, r)
	case schedule.Verify:
		return applied{}, a.applyVerify(ctx, r)
	case schedule.Investigate:
		return applied{}, a.applyInvestigate(ctx, r)
	case schedule.Decompose:
		return applied{}, a.applyDecompose(ctx, now, r)
	case schedule.Plan:
		err := a.applyPlan(ctx, r)
		return applied{planned: err == nil}, err
	}
	return applied{}, nil
}

// knows reports whether an id is in the plan, or was when the agent was started: it may have settled it itself.
func (a attempt) knows(p *plan.Plan, id string) bool {
	for _, p := range [...]*plan.Plan{p, a.State.Plan} {
		_, task := p.Task(id)
		_, issue := p.Issue(id)
		if task || issue {
			return true
		}
	}
	return false
}
