package viewio

import (
	"context"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/view"
)

// Range reads two bounds, as planio.ReadRange does, and prints its warnings. Data have the history.
func (w *Worktree) Range(ctx context.Context, d *view.Data, since, until string) (planio.Range, error) {
	_, st, err := w.open(ctx, &view.Data{})
	if err != nil {
		return planio.Range{}, err
	}
	env := w.env
	return planio.ReadRange(ctx, &env, st, d.History, since, until)
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
