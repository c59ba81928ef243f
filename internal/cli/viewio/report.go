package viewio

import (
	"context"
	"time"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/view"
)

// A Range is a time between two bounds.
type Range struct {
	In          func(*fold.Event) bool // which events belong to it
	From, Until time.Time              // zero where there is no bound
}

// Range reads two bounds, each a date in git's words or a commit, as `git ralph log` takes them; "" is none. Data have the history.
func (w *Worktree) Range(ctx context.Context, d *view.Data, since, until string) (r Range, err error) {
	_, st, err := w.open(ctx, &view.Data{})
	if err != nil {
		return r, err
	}
	before, err := planio.Bound(ctx, st, d.History, since, 0)
	if err != nil {
		return r, err
	}
	upTo, err := planio.Bound(ctx, st, d.History, until, 1)
	if err != nil {
		return r, err
	}
	if since != "" {
		if r.From, err = planio.BoundTime(ctx, st, since); err != nil {
			return r, err
		}
	}
	if until != "" {
		if r.Until, err = planio.BoundTime(ctx, st, until); err != nil {
			return r, err
		}
	}
	r.In = func(e *fold.Event) bool { return (before == nil || !before(e)) && (upTo == nil || upTo(e)) }
	return r, nil
}

// Report returns what happened between two bounds; see Range. Without them it goes from the beginning to the moment of the data. Data
// have all that All reads.
func (w *Worktree) Report(ctx context.Context, d *view.Data, since, until string) (view.Report, error) {
	r, err := w.Range(ctx, d, since, until)
	if err != nil {
		return view.Report{}, err
	}
	if until == "" {
		r.Until = d.Moment
	}
	return d.Report(r.In, r.From, r.Until.In(d.Moment.Location())), nil
}
