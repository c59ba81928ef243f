package historycmd

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/history/query"
	"git-ralph/internal/store"
)

// A selection is what is printed of a history.
type selection struct {
	query.Selection
	idSize int // bytes of a commit's id
}

// of selects from a history. The names of branch and task become those that the history has.
func (f *logFilter) of(ctx context.Context, st *store.Store, h *fold.History) (s selection, err error) {
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
	if filter.Before, err = bound(ctx, st, h, f.since, 0); err != nil {
		return s, err
	}
	if filter.Until, err = bound(ctx, st, h, f.until, 1); err != nil {
		return s, err
	}
	return selection{filter.Select(h), h.IDSize()}, nil
}

// bound returns which events happened before the second that lies extra behind a
// date, or up to a commit; nil for an empty word. A word that names a commit is
// no date.
func bound(ctx context.Context, st *store.Store, h *fold.History, word string, extra int64) (func(*fold.Event) bool, error) {
	if word == "" {
		return nil, nil
	}
	if id, err := st.Resolve(ctx, word); err == nil {
		return upTo(h, id)
	} else if !errors.Is(err, git.ErrBadRevision) {
		return nil, err
	}
	text, err := walk.ParseDate(ctx, st.Repo(), word)
	if err != nil {
		return nil, err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return func(e *fold.Event) bool { return e.Time < seconds+extra }, err
}

func upTo(h *fold.History, id string) (func(*fold.Event) bool, error) {
	commit, err := git.ParseHash(id)
	if err != nil {
		return nil, err
	}
	if known := h.Reaches(commit); known != nil {
		return known, nil
	}
	return nil, fmt.Errorf("%.12s %w of a branch, a tag or HEAD", id, errNotInHistory)
}

var errNotInHistory = errors.New("is not in the history")
