package store

import (
	"context"
	"strings"

	"git-ralph/internal/plan"
)

// Unpushed counts the events of a name in the commits that the branch's upstream is not known to have.
func (s *Store) Unpushed(ctx context.Context, name plan.EventName) (int, error) {
	messages, err := s.repo.Upstream().Unpushed(ctx)
	return strings.Count("\n"+messages, "\n"+plan.EventTrailer+string(name)+" "), err
}
