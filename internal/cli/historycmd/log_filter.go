package historycmd

import (
	"context"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/history/query"
	"git-ralph/internal/landed"
	"git-ralph/internal/store"
)

// A logFilter says which events to print. Filters combine; the zero value
// of each asks for all.
type logFilter struct {
	all          bool // of all branches, not of HEAD alone
	branch       string
	since, until string // a date or a commit
	spec         string
	status       string
	author       string // a part of the address
	task         string
	text         string // a part of the task's name or of another text
	limit        int    // how many events at most, 0 for no limit
}

// A selection is the part of a history to print.
type selection struct {
	query.Selection
	idSize   int // bytes of a commit's id
	receipts planio.Receipts

	landed func(*fold.Life) landed.Verdict // judges a done task; nil where nobody asks
}

// selectFrom selects from a history. It replaces the names of branch and task by those in the history.
func (f *logFilter) selectFrom(ctx context.Context, env *term.Env, st *store.Store, h *fold.History) (s selection, err error) {
	if f.branch != "" {
		if f.branch, err = branchOf(ctx, st.Repo(), h, f.branch); err != nil {
			return s, err
		}
	}
	if f.task != "" {
		life, err := planio.LifeOf(h, f.task)
		if err != nil {
			return s, err
		}
		f.task = life.ID
	}
	filter := query.Filter{
		All: f.all, Branch: f.branch, Spec: f.spec, Status: f.status, Author: f.author, Task: f.task, Text: f.text, Limit: f.limit,
	}
	r, err := planio.ReadRange(ctx, env, st, h, f.since, f.until)
	if err != nil {
		return s, err
	}
	filter.Before, filter.Until = r.Before, r.UpTo
	return selection{Selection: filter.Select(h), idSize: h.IDSize()}, nil
}
