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

// ReviewGate reports whether a person approves plans, after the validator.
func ReviewGate(ctx context.Context, e *term.Env, st *store.Store) (bool, error) {
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
