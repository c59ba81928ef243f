package planio

import (
	"context"
	"errors"
	"fmt"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/store"
)

// A Range is a time between two bounds, each of which may be missing.
type Range struct {
	Before, UpTo func(*fold.Event) bool // which events lie before it, and which before its end; nil where there is no bound
	From, Until  time.Time              // of a commit, the committer's date; zero where there is no bound
}

// In reports whether an event belongs to the range.
func (r Range) In(e *fold.Event) bool {
	return (r.Before == nil || !r.Before(e)) && (r.UpTo == nil || r.UpTo(e))
}

// ReadRange reads two bounds, each a date in git's words or a commit, "" for none. A word that names a commit is not read as a date. A
// commit is a bound of the events that it and its ancestors record, whatever their dates.
func ReadRange(ctx context.Context, e *term.Env, st *store.Store, h *fold.History, since, until string) (r Range, err error) {
	var first, last Bound
	if since != "" {
		if first, err = ReadSince(ctx, e, st, since); err == nil {
			r.From = first.Time
			r.Before, err = first.condition(h, 0)
		}
	}
	if until != "" && err == nil {
		if last, err = readBound(ctx, e, st, until); err == nil {
			r.Until = last.Time
			r.UpTo, err = last.condition(h, 1)
		}
	}
	if err != nil || since == "" || until == "" {
		return r, err
	}
	reversed := r.From.After(r.Until)
	if first.Commit != "" && last.Commit != "" && first.Commit != last.Commit {
		reader := st.Repo().Reader(ctx)
		defer reader.Close()
		reversed, err = reader.IsAncestor(last.Commit, first.Commit)
	}
	if reversed {
		err = wrongLine(e, fmt.Sprintf("--since %q, %s, is after --until %q, %s", since, r.From.Format(time.DateTime), until, r.Until.Format(time.DateTime)))
	}
	return r, err
}

// A Bound is a commit, or a date.
type Bound struct {
	Commit string // its id; "" for a date
	Time   time.Time
}

// ReadSince reads the word that --since has: it names a commit, or is a date in git's words. One that is neither is a wrong command line. A
// date in the future, which may be meant as a past one (10pm), is warned of.
func ReadSince(ctx context.Context, e *term.Env, st *store.Store, word string) (Bound, error) {
	b, err := readBound(ctx, e, st, word)
	if err == nil && b.Commit == "" && b.Time.After(e.Now()) {
		e.Warn(fmt.Sprintf("--since %q is in the future: %s", word, b.Time.Format(time.DateTime)))
	}
	return b, err
}

func readBound(ctx context.Context, e *term.Env, st *store.Store, word string) (b Bound, err error) {
	var seconds int64
	b.Commit, err = st.Resolve(ctx, word)
	switch {
	case err == nil:
		reader := st.Repo().Reader(ctx)
		defer reader.Close()
		seconds, err = reader.Time(b.Commit)
	case errors.Is(err, git.ErrBadRevision):
		if seconds, err = walk.ParseDate(ctx, st.Repo(), word); errors.Is(err, walk.ErrBadDate) {
			err = wrongLine(e, err.Error())
		}
	}
	b.Time = time.Unix(seconds, 0)
	return b, err
}

// wrongLine returns the error of a command line that has a wrong value.
func wrongLine(e *term.Env, text string) error {
	err := &cmdline.UsageError{Text: text}
	if e.Command != nil {
		err.Command = cmdline.Program + " " + e.Command.String()
	}
	return err
}

// condition returns the condition that an event happened up to a commit, or before a date plus extra seconds.
func (b Bound) condition(h *fold.History, extra int64) (func(*fold.Event) bool, error) {
	if b.Commit == "" {
		return func(e *fold.Event) bool { return e.Time < b.Time.Unix()+extra }, nil
	}
	commit, err := git.ParseHash(b.Commit)
	if err != nil {
		return nil, err
	}
	if known := h.Reaches(commit); known != nil {
		return known, nil
	}
	return nil, fmt.Errorf("%.12s %w of a branch, a tag or HEAD", b.Commit, errNotInHistory)
}

var errNotInHistory = errors.New("is not in the history")
