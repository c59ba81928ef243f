package viewio

import (
	"context"
	"time"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/view"
)

// Report returns what happened between two bounds, each a date in git's words or a commit, as `git ralph log` takes them; "" is the beginning,
// and the moment of the data. Data have all that All reads.
func (w *Worktree) Report(ctx context.Context, d *view.Data, since, until string) (view.Report, error) {
	_, st, err := w.open(ctx, &view.Data{})
	if err != nil {
		return view.Report{}, err
	}
	before, err := planio.Bound(ctx, st, d.History, since, 0)
	if err != nil {
		return view.Report{}, err
	}
	upTo, err := planio.Bound(ctx, st, d.History, until, 1)
	if err != nil {
		return view.Report{}, err
	}
	from, end := time.Time{}, d.Moment
	if since != "" {
		if from, err = planio.BoundTime(ctx, st, since); err != nil {
			return view.Report{}, err
		}
	}
	if until != "" {
		if end, err = planio.BoundTime(ctx, st, until); err != nil {
			return view.Report{}, err
		}
	}
	in := func(e *fold.Event) bool { return (before == nil || !before(e)) && (upTo == nil || upTo(e)) }
	return d.Report(in, from, end.In(d.Moment.Location())), nil
}
