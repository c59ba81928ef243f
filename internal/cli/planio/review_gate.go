package planio

import (
	"context"
	"fmt"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/config"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/store"
)

// The variables that go before ralph.reviewMode and ralph.autoApprove.
const (
	reviewModeVariable  = "RALPH_REVIEW_MODE"
	autoApproveVariable = "RALPH_AUTO_APPROVE"
)

// ItemRules returns how tasks of items are finished here: whether a person approves plans, and which tasks somebody works on.
func ItemRules(ctx context.Context, e *term.Env, st *store.Store) (pipeline.Finishing, error) {
	gate, err := reviewGate(ctx, e, st)
	return pipeline.Finishing{Gate: gate, Claimed: ClaimedTasks(ctx, e, st)}, err
}

// ItemRulesOf returns the iteration.ItemRules of a run.
func ItemRulesOf(e *term.Env, st *store.Store) func(context.Context) (pipeline.Finishing, error) {
	return func(ctx context.Context) (pipeline.Finishing, error) { return ItemRules(ctx, e, st) }
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
