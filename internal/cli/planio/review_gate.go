package planio

import (
	"context"
	"fmt"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/config"
	"git-ralph/internal/journal"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// The variables that go before ralph.reviewMode and ralph.autoApprove.
const (
	reviewModeVariable  = "RALPH_REVIEW_MODE"
	autoApproveVariable = "RALPH_AUTO_APPROVE"
)

// Integration returns who finishes the tasks Create PR and Merge PR: it is decided here alone. That a remote is at GitHub is not enough for
// anything to be sent there: somebody has to have asked for pull requests.
func Integration(ctx context.Context, st *store.Store) (pipeline.Integration, error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return "", err
	}
	if wanted, err := settings.Bool("ralph.github.pulls", false); err != nil || !wanted {
		return pipeline.ByLanding, err
	}
	return pipeline.ByPullRequests, nil
}

// ItemRules returns how tasks of items are finished in a worktree: whether a person approves plans, which tasks somebody works on, and whether
// it has the target.
func ItemRules(ctx context.Context, e *term.Env, st *store.Store) (pipeline.Finishing, error) {
	rules, err := WorkerItemRules(ctx, e, st)
	if err == nil && e.Getenv(journal.RunVariable) == "" { // a run has work of its agent's to commit before
		rules.OnTarget, err = onTarget(ctx, st)
	}
	return rules, err
}

// WorkerItemRules is ItemRules for the branches of workers, which have to land.
func WorkerItemRules(ctx context.Context, e *term.Env, st *store.Store) (pipeline.Finishing, error) {
	gate, err := reviewGate(ctx, e, st)
	if err != nil {
		return pipeline.Finishing{}, err
	}
	by, err := Integration(ctx, st)
	return pipeline.Finishing{Gate: gate, Claimed: ClaimedTasks(ctx, e, st), Integration: by}, err
}

// onTarget reports whether the target is checked out in a worktree. With a claims remote that is the remote's branch.
func onTarget(ctx context.Context, st *store.Store) (bool, error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return false, err
	}
	if remote, isSet := settings.Get("ralph.claims.remote"); remote != "" || !isSet && st.SharesClaims() {
		return false, nil
	}
	target, err := TargetBranch(ctx, st, "")
	if err != nil || target == "" {
		return false, err
	}
	head, err := st.Repo().HeadRef(ctx)
	return head == target, err
}

// Following returns a change with what follows from it for items, where the plan is that of the target.
func Following(ctx context.Context, e *term.Env, st *store.Store, do Change) (Change, error) {
	rules, err := ItemRules(ctx, e, st)
	if err != nil || !rules.OnTarget {
		return do, err
	}
	return func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.Together(func() (plan.Change, error) {
			change, err := do(p, in)
			if err != nil {
				return change, err
			}
			more, err := pipeline.FollowLanding(p, rules.Following(in.Head, in.Stamp))
			change.Join(more)
			return change, err
		})
	}, nil
}

// reviewGate reports whether a person approves plans, after the validator.
func reviewGate(ctx context.Context, e *term.Env, st *store.Store) (bool, error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return false, err
	}
	mode, err := reviewMode(e, settings)
	if err != nil {
		return false, err
	}
	approve, err := settings.Bool("ralph.autoApprove", true)
	if text := e.Getenv(autoApproveVariable); text != "" {
		if approve, err = (config.Entry{Key: autoApproveVariable, Value: text}).Bool(); err != nil {
			err = fmt.Errorf("invalid %s %q: want true or false", autoApproveVariable, text)
		}
	}
	return mode == pipeline.InteractiveReview || !approve, err
}

func reviewMode(e *term.Env, settings *config.Config) (pipeline.ReviewMode, error) {
	name, text := reviewModeVariable, e.Getenv(reviewModeVariable)
	if text == "" {
		name = "ralph.reviewMode"
		text, _ = settings.Get(name)
	}
	mode, err := pipeline.ParseReviewMode(text)
	if err != nil {
		return "", fmt.Errorf("invalid setting %s: %w", name, err)
	}
	return mode, nil
}
