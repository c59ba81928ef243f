package cli

import (
	"context"
	"runtime/debug"

	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/store"
)

// historyGarbage is how much garbage there may be, in hundredths of what is in
// use. Other commands end before it matters; a long history would fill memory.
const historyGarbage = 60

// look opens the repository and looks where its references point. What a partial
// clone has not is fetched where that is wanted. The look is to be closed.
func (e *Env) look(ctx context.Context, fetch bool) (*store.Store, *history.Look, error) {
	st, err := e.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	options := history.Options{Repo: st.Repo(), Paths: st.PlanPaths(), Maker: e.Version}
	if fetch {
		if err := history.Fetch(ctx, options); err != nil {
			return nil, nil, err
		}
	}
	look, err := history.Begin(ctx, options)
	return st, look, err
}

// read reads the history of the plan, and warns of what cannot be told.
func (e *Env) read(ctx context.Context, st *store.Store, look *history.Look, fetched bool) (*fold.History, error) {
	debug.SetGCPercent(historyGarbage)
	h, err := look.History()
	if err != nil {
		return nil, err
	}
	for _, warning := range h.Warnings {
		e.warn(warning)
	}
	if len(h.Warnings) > 0 && !fetched && st.Repo().PartialClone(ctx) {
		e.hint("this is a partial clone: --fetch gets what it has not")
	}
	return h, nil
}

// history reads the history of the plan at once.
func (e *Env) history(ctx context.Context, fetch bool) (*store.Store, *fold.History, error) {
	st, look, err := e.look(ctx, fetch)
	if err != nil {
		return nil, nil, err
	}
	defer look.Close() //nolint:errcheck // nothing was written
	h, err := e.read(ctx, st, look, fetch)
	return st, h, err
}
