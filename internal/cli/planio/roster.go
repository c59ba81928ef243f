package planio

import (
	"context"
	"fmt"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/store"
)

// RosterFormula reads ralph.roster.
func RosterFormula(ctx context.Context, st *store.Store) (pipeline.Formula, error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return "", err
	}
	text, _ := settings.Get("ralph.roster")
	formula, err := pipeline.ParseFormula(text)
	if err != nil {
		return "", fmt.Errorf("invalid setting ralph.roster: %w", err)
	}
	return formula, nil
}
