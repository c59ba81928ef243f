package planio

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/heap"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/store"
)

// garbage is when it is collected while a history is read that nothing is cached of: it would fill the memory. Other commands end before
// garbage matters.
func garbage() heap.Limits {
	return heap.Limits{From: 40 << 20, Percent: 50, Memory: 52 << 20, MinShare: 200}
}

// OpenHistory opens the repository and reads its references. With fetch, it first fetches what a
// partial clone lacks. The caller closes the reader.
func OpenHistory(ctx context.Context, e *term.Env, fetch bool) (*store.Store, *history.Reader, error) {
	st, err := Open(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	options := HistoryOf(e, st)
	if fetch {
		if err := history.Fetch(ctx, options); err != nil {
			return nil, nil, err
		}
	}
	reader, err := history.Open(ctx, options)
	return st, reader, err
}

// HistoryOf returns the options to read the history of a store's plan with.
func HistoryOf(e *term.Env, st *store.Store) history.Options {
	return history.Options{Repo: st.Repo(), Paths: st.PlanPaths(), ProgramVersion: "git-ralph " + e.Version, LongLived: e.LongLived}
}

// knownIDs returns the ids that were in the history when it was last read.
func knownIDs(e *term.Env, st *store.Store) []string {
	return slices.Collect(maps.Keys(history.KnownIDs(HistoryOf(e, st))))
}

// ReadNewest reads the history of the plan, or only as much of it as holds the given number of
// HEAD's newest events, and warns of what cannot be read. 0 reads all.
func ReadNewest(ctx context.Context, e *term.Env, st *store.Store, reader *history.Reader, newest int, fetched bool) (*fold.History, error) {
	if !reader.HasCache() && !e.LongLived {
		garbage().Apply()
	}
	h, err := reader.Newest(newest)
	if err != nil {
		return nil, err
	}
	for _, warning := range h.Warnings {
		e.Warn(warning)
	}
	if len(h.Warnings) > 0 && !fetched && walk.IsPartialClone(ctx, st.Repo()) {
		e.Hint("this is a partial clone: --fetch fetches what it lacks")
	}
	if IsEmpty(h) && !st.HasFile() {
		hintPlanPath(e, st, "any commit")
	}
	return h, nil
}

// hintPlanPath hints at a setting of ralph.plan that names a file which neither the worktree nor some commits have.
func hintPlanPath(e *term.Env, st *store.Store, commits string) {
	if st.PlanPath() != store.DefaultPath {
		e.Hint(fmt.Sprintf("ralph.plan is %q, which neither the worktree nor %s has; the default is %s", st.PlanPath(), commits, store.DefaultPath))
	}
}

// IsEmpty reports whether no commit ever had anything in a plan.
func IsEmpty(h *fold.History) bool { return len(h.Lives)+len(h.Events) == 0 }

// ReadHistory opens the repository and reads the whole history of the plan.
func ReadHistory(ctx context.Context, e *term.Env, fetch bool) (*store.Store, *fold.History, error) {
	st, reader, err := OpenHistory(ctx, e, fetch)
	if err != nil {
		return nil, nil, err
	}
	defer reader.Close() //nolint:errcheck // nothing was written
	h, err := ReadNewest(ctx, e, st, reader, 0, fetch)
	return st, h, err
}
