package planio

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/store"
)

// Other commands end before garbage matters; a long history would fill memory. It is collected when so many bytes are in
// use, and when there is so much more, in hundredths, than was in use after the last time. Up to historyMemory in all, what
// is not in use any more goes back to the system at once.
const (
	collectFrom    = 40 << 20
	historyGarbage = 50
	historyMemory  = 52 << 20
)

// collect lets the garbage collector work.
func collect(int) {
	var use runtime.MemStats
	runtime.ReadMemStats(&use)
	live := max(use.HeapAlloc, 4<<20) // as much as the runtime takes it for at least
	debug.SetGCPercent(max(historyGarbage, int(collectFrom*100/live)-100))
	debug.SetMemoryLimit(max(historyMemory, 2*int64(live)))
	runtime.AddCleanup(new([marker]byte), collect, 0) // again after the next collection
}

// marker is the size of an object that nobody uses, large enough to stand by itself.
const marker = 64

// OpenHistory opens the repository and reads its references. What a partial
// clone has not is fetched where that is wanted. The reader is to be closed.
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

func HistoryOf(e *term.Env, st *store.Store) history.Options {
	return history.Options{Repo: st.Repo(), Paths: st.PlanPaths(), ProgramVersion: "git-ralph " + e.Version}
}

// knownIDs returns the ids that the history knew when it was last read.
func knownIDs(e *term.Env, st *store.Store) []string {
	return slices.Collect(maps.Keys(history.KnownIDs(HistoryOf(e, st))))
}

// ReadNewest reads the history of the plan, or as much of it as holds so many of the
// newest events of HEAD's, and warns of what cannot be read.
func ReadNewest(ctx context.Context, e *term.Env, st *store.Store, reader *history.Reader, newest int, fetched bool) (*fold.History, error) {
	if !reader.HasCache() {
		collect(0)
	}
	h, err := reader.Newest(newest)
	if err != nil {
		return nil, err
	}
	for _, warning := range h.Warnings {
		e.Warn(warning)
	}
	if len(h.Warnings) > 0 && !fetched && walk.IsPartialClone(ctx, st.Repo()) {
		e.Hint("this is a partial clone: --fetch gets what it has not")
	}
	if IsEmpty(h) && !st.HasFile() {
		hintNowhere(e, st, "any commit")
	}
	return h, nil
}

// hintNowhere hints at a setting of ralph.plan that names a file which neither the worktree nor some commits have.
func hintNowhere(e *term.Env, st *store.Store, commits string) {
	if st.PlanPath() != store.DefaultPath {
		e.Hint(fmt.Sprintf("ralph.plan is %q, which neither the worktree nor %s has; the default is %s", st.PlanPath(), commits, store.DefaultPath))
	}
}

// IsEmpty reports whether no commit ever had anything in a plan.
func IsEmpty(h *fold.History) bool { return len(h.Lives)+len(h.Events) == 0 }

// ReadHistory reads the history of the plan at once.
func ReadHistory(ctx context.Context, e *term.Env, fetch bool) (*store.Store, *fold.History, error) {
	st, reader, err := OpenHistory(ctx, e, fetch)
	if err != nil {
		return nil, nil, err
	}
	defer reader.Close() //nolint:errcheck // nothing was written
	h, err := ReadNewest(ctx, e, st, reader, 0, fetch)
	return st, h, err
}
