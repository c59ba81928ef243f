package planio

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/store"
)

// Bound returns a condition for events: that they happened up to a commit, or before a
// date plus extra seconds; nil for an empty word. A word that names a commit is not read
// as a date.
func Bound(ctx context.Context, st *store.Store, h *fold.History, word string, extra int64) (func(*fold.Event) bool, error) {
	if word == "" {
		return nil, nil
	}
	id, seconds, err := readBound(ctx, st, word)
	if err != nil {
		return nil, err
	}
	if id != "" {
		return upTo(h, id)
	}
	return func(e *fold.Event) bool { return e.Time < seconds+extra }, nil
}

// BoundTime returns the time that the word of a Bound means: of a commit, the committer's.
func BoundTime(ctx context.Context, st *store.Store, word string) (time.Time, error) {
	id, seconds, err := readBound(ctx, st, word)
	if err == nil && id != "" {
		reader := st.Repo().Reader(ctx)
		defer reader.Close()
		seconds, err = reader.Time(id)
	}
	return time.Unix(seconds, 0), err
}

// readBound returns the commit that a word names, else the date in seconds since 1970.
func readBound(ctx context.Context, st *store.Store, word string) (id string, seconds int64, err error) {
	if id, err = st.Resolve(ctx, word); err == nil {
		return id, 0, nil
	} else if !errors.Is(err, git.ErrBadRevision) {
		return "", 0, err
	}
	text, err := walk.ParseDate(ctx, st.Repo(), word)
	if err != nil {
		return "", 0, err
	}
	seconds, err = strconv.ParseInt(text, 10, 64)
	return "", seconds, err
}

// upTo returns the condition that an event is in a commit or an ancestor of it.
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
