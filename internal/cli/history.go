package cli

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"

	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
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

// look opens the repository and looks where its references point. What a partial
// clone has not is fetched where that is wanted. The look is to be closed.
func (e *Env) look(ctx context.Context, fetch bool) (*store.Store, *history.Look, error) {
	st, err := e.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	options := e.historyOf(st)
	if fetch {
		if err := history.Fetch(ctx, options); err != nil {
			return nil, nil, err
		}
	}
	look, err := history.Begin(ctx, options)
	return st, look, err
}

func (e *Env) historyOf(st *store.Store) history.Options {
	return history.Options{Repo: st.Repo(), Paths: st.PlanPaths(), Maker: "git-ralph " + e.Version}
}

// knownIDs returns the ids that the history knew when it was last read.
func (e *Env) knownIDs(st *store.Store) []string {
	return slices.Collect(maps.Keys(history.KnownIDs(e.historyOf(st))))
}

// withoutAccepted leaves out the dependencies on tasks that were accepted, as far
// as that is known without reading history: nothing is wrong with those.
func (e *Env) withoutAccepted(ctx context.Context, problems plan.Problems) plan.Problems {
	isDangling := func(p plan.Problem) bool { return p.Code == plan.CodeDangling }
	if !slices.ContainsFunc(problems, isDangling) {
		return problems
	}
	st, err := e.open(ctx)
	if err != nil {
		return problems
	}
	accepted := history.KnownIDs(e.historyOf(st))
	return slices.DeleteFunc(problems, func(p plan.Problem) bool { return isDangling(p) && accepted[p.Dep] })
}

// read reads the history of the plan, or as much of it as tells so many of the
// newest events of HEAD's, and warns of what cannot be told.
func (e *Env) read(ctx context.Context, st *store.Store, look *history.Look, newest int, fetched bool) (*fold.History, error) {
	if !look.Kept() {
		collect(0)
	}
	h, err := look.Newest(newest)
	if err != nil {
		return nil, err
	}
	for _, warning := range h.Warnings {
		e.warn(warning)
	}
	if len(h.Warnings) > 0 && !fetched && st.Repo().PartialClone(ctx) {
		e.hint("this is a partial clone: --fetch gets what it has not")
	}
	if isEmpty(h) && st.PlanPath() != store.DefaultPath && !st.HasFile() {
		e.hint(fmt.Sprintf("ralph.plan is %q, which neither the worktree nor any commit has; the default is %s", st.PlanPath(), store.DefaultPath))
	}
	return h, nil
}

// isEmpty tells whether no commit ever had anything in a plan.
func isEmpty(h *fold.History) bool { return len(h.Lives)+len(h.Events) == 0 }

// history reads the history of the plan at once.
func (e *Env) history(ctx context.Context, fetch bool) (*store.Store, *fold.History, error) {
	st, look, err := e.look(ctx, fetch)
	if err != nil {
		return nil, nil, err
	}
	defer look.Close() //nolint:errcheck // nothing was written
	h, err := e.read(ctx, st, look, 0, fetch)
	return st, h, err
}
