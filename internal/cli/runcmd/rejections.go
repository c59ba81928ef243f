package runcmd

import (
	"context"
	"slices"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/iteration"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// rejectionsOf returns a function that reads from the commits of HEAD why a task, and those that it superseded, were rejected.
func rejectionsOf(env *term.Env, st *store.Store) iteration.History {
	return func(ctx context.Context) (iteration.Rejections, error) {
		h, err := history.Read(ctx, planio.HistoryOf(env, st))
		if err != nil {
			return nil, err
		}
		return func(id string) (reasons []string) {
			line := ancestry(h.Lives, id)
			for _, e := range h.Events {
				if isRejection(e) && e.InHead && e.Life != nil && slices.Contains(line, e.Life.ID) {
					reasons = append(reasons, e.Reason)
				}
			}
			return reasons
		}, nil
	}
}

// isRejection reports whether an event says why an attempt was rejected. A task that was superseded before anyone did it has
// such an event too, but no attempt.
func isRejection(e *fold.Event) bool {
	return e.Name == plan.EventRejected && e.Reason != "" && (e.Successor == "" || e.Attempt != "" || e.DoneAt != "")
}

// ancestry returns the ids of a task and of those that it superseded, directly or not.
func ancestry(lives []*fold.Life, id string) []string {
	line := []string{id}
	for i := 0; i < len(line); i++ {
		for _, life := range lives {
			isOne := life.Has(line[i]) || life.SupersededBy == line[i]
			if life.Kind == plan.KindTask && isOne && !slices.Contains(line, life.ID) {
				line = append(line, life.ID)
			}
		}
	}
	return line
}
