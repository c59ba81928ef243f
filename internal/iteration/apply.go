package iteration

import (
	"context"
	"errors"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/report"
	"git-ralph/internal/schedule"
)

// applyReport checks the block that the agent reported, and applies it as one transaction. An unusable report becomes
// feedback; an error is one that the agent did not cause.
func (f finishedJob) applyReport(ctx context.Context, now State) (applied, error) {
	r, err := report.Find(f.ended.Output, f.prompt.text)
	switch {
	case errors.Is(err, report.ErrNone):
		return applied{}, nil
	case errors.Is(err, report.ErrExample) && isProgress(plan.Events(f.State.Plan, now.Plan)):
		return applied{}, nil // it printed its prompt, and changed the plan itself
	}
	var done applied
	if err == nil {
		done, err = f.apply(ctx, now, r.Masked(f.Masker.Object))
	}
	if err != nil && causedByReport(err) {
		done.feedback, err = f.Masker.Text(err.Error()), nil
	}
	return done, err
}

// causedByReport reports whether what the agent reported caused an error, so that another report may succeed.
func causedByReport(err error) bool {
	for _, target := range [...]error{report.ErrUnusable, commit.ErrCommitRefused, commit.ErrBadPath, plan.ErrNoSubtasks, plan.ErrNoSpec} {
		if errors.Is(err, target) {
			return true
		}
	}
	return is[*plan.FieldError](err) || is[*plan.CycleError](err) || is[*plan.UnknownIDError](err) || is[*plan.AmbiguousIDError](err) ||
		is[*plan.StateError](err) || is[*plan.BlockedError](err) || is[*plan.DependantsError](err) ||
		is[*pipeline.ResultError](err) || is[*pipeline.NotSplitError](err)
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func (f finishedJob) apply(ctx context.Context, now State, r report.Report) (applied, error) {
	switch f.Stage() {
	case schedule.Build:
		return f.applyBuild(ctx, now, r)
	case schedule.Verify:
		return applied{}, f.applyVerify(ctx, r)
	case schedule.Investigate:
		return applied{}, f.applyInvestigate(ctx, r)
	case schedule.Decompose:
		return applied{}, f.applyDecompose(ctx, now, r)
	case schedule.Plan:
		err := f.applyPlan(ctx, r)
		return applied{planned: err == nil}, err
	}
	return applied{}, nil
}

// knows reports whether an id is in the plan, or was when the agent was started: the agent may have removed the record
// itself.
func (f finishedJob) knows(p *plan.Plan, id string) bool {
	for _, p := range [...]*plan.Plan{p, f.State.Plan} {
		_, task := p.Task(id)
		_, issue := p.Issue(id)
		if task || issue {
			return true
		}
	}
	return false
}
