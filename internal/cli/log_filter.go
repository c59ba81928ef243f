package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// A selection is what of a history was asked for: events, the newest first, and
// the tasks that they touch.
type selection struct {
	tasks  []*fold.Life
	events []*fold.Event
	idSize int
}

// of selects from a history.
func (f *logFilter) of(ctx context.Context, st *store.Store, h *fold.History) (selection, error) {
	tests, err := f.tests(ctx, st, h)
	s := selection{idSize: h.IDSize()}
	if err != nil {
		return s, err
	}
	touched := map[*fold.Life]bool{}
	for _, e := range slices.Backward(h.Events) {
		if f.limit > 0 && len(s.events) == f.limit {
			break
		}
		if !slices.ContainsFunc(tests, func(matches func(*fold.Event) bool) bool { return !matches(e) }) {
			s.events = append(s.events, e)
			touched[e.Life] = true
		}
	}
	for _, life := range h.Lives {
		silent := len(life.Events) == 0 && f.wantsSilent(life)
		if life.Kind == plan.KindTask && (touched[life] || silent) {
			s.tasks = append(s.tasks, life)
		}
	}
	return s, nil
}

// wantsSilent tells whether a task of which no event is at hand is asked for.
func (f logFilter) wantsSilent(l *fold.Life) bool {
	return f.all && f.branch == "" && f.since == "" && f.until == "" && f.author == "" && f.limit == 0 && f.wantsLife(l)
}

// statusWord returns the status of a life in the words of people: a decomposed task is not one of those that were cancelled.
func statusWord(l *fold.Life) string {
	if l.Status == fold.Cancelled && len(l.DecomposedInto) > 0 {
		return string(plan.EventDecomposed)
	}
	return string(l.Status)
}

func (f logFilter) wantsLife(l *fold.Life) bool {
	return (f.spec == "" || l.Spec == f.spec) && (f.status == "" || statusWord(l) == f.status) && (f.task == "" || l.Has(f.task)) && f.wantsText(l)
}

// wantsText reports whether a task or issue holds the text, now or when it was last seen.
func (f logFilter) wantsText(l *fold.Life) bool {
	return f.text == "" || strings.Contains(strings.ToLower(l.Name), strings.ToLower(f.text)) || l.Record.JSON() != "" && holdsText(l.Record, f.text)
}

// tests returns what an event must hold against.
func (f *logFilter) tests(ctx context.Context, st *store.Store, h *fold.History) ([]func(*fold.Event) bool, error) {
	var tests []func(*fold.Event) bool
	if !f.all && f.branch == "" && f.task == "" {
		tests = append(tests, func(e *fold.Event) bool { return e.InHead })
	}
	if f.branch != "" {
		name, err := branchOf(ctx, st.Repo(), h, f.branch)
		if err != nil {
			return nil, err
		}
		f.branch = name
		tests = append(tests, func(e *fold.Event) bool { return slices.Contains(e.Branches, name) })
	}
	if f.author != "" {
		part := strings.ToLower(f.author)
		tests = append(tests, func(e *fold.Event) bool { return strings.Contains(strings.ToLower(e.Author), part) })
	}
	if f.text != "" {
		tests = append(tests, func(e *fold.Event) bool { return e.Life != nil && f.wantsText(e.Life) })
	}
	if f.task != "" {
		life, err := lifeOf(h, f.task)
		if err != nil {
			return nil, err
		}
		f.task = life.ID
	}
	if f.spec+f.status+f.task != "" {
		tests = append(tests, func(e *fold.Event) bool {
			if e.Life == nil {
				return f.status+f.task == "" && e.ID == f.spec
			}
			return f.wantsLife(e.Life)
		})
	}
	since, err := bound(ctx, st, h, f.since, 0)
	if err == nil && since != nil {
		tests = append(tests, func(e *fold.Event) bool { return !since(e) })
	}
	until, err2 := bound(ctx, st, h, f.until, 1)
	if err2 == nil && until != nil {
		tests = append(tests, until)
	}
	return tests, errors.Join(err, err2)
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
	text, err := st.Repo().Since(ctx, word)
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

// lifeOf finds the life of an id, which may be shortened or one that it had
// before.
func lifeOf(h *fold.History, given string) (*fold.Life, error) {
	var found []*fold.Life
	for _, life := range h.Lives {
		if life.Has(given) {
			return life, nil
		}
		if strings.HasPrefix(life.ID, given) {
			found = append(found, life)
		}
	}
	switch len(found) {
	case 0:
		return nil, &hintedError{fmt.Errorf("no such task or issue: %s", given), "`git ralph log --all` shows all that there were"}
	case 1:
		return found[0], nil
	}
	ids := make([]string, len(found))
	for i, life := range found {
		ids[i] = life.ID
	}
	return nil, &plan.AmbiguousIDError{Given: given, IDs: ids}
}

// reverse puts the oldest event first.
func (s *selection) reverse() { slices.Reverse(s.events) }
