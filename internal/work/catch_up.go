package work

import (
	"context"
	"strings"
)

// catchUp merges the target into the branch of a task that an earlier worker began, where that needs nobody: the work goes on with
// what has landed since. A conflict is left to the agent. Where the plan on the branch still shows the task as blocked, as it was
// then, the work begins afresh, and the commits stay on another branch.
func (w *Worker) catchUp(ctx context.Context, t *taken, o origin) error {
	if o.from == "" {
		return nil
	}
	r := w.place.st.Repo()
	head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	bases, err := r.MergeBases(ctx, head, w.target.tip)
	if err != nil {
		return err
	}
	if len(bases) == 0 || bases[0] != w.target.tip {
		name := strings.TrimPrefix(w.Into, "refs/heads/")
		if err := w.place.git(ctx, "merge", "--quiet", "--no-edit", "-m", "Merge branch '"+name+"'", w.target.tip); err != nil {
			w.place.git(ctx, "merge", "--abort") //nolint:errcheck // a merge that did not begin needs none
		}
	}
	p, head, err := w.branchPlan(ctx)
	if err != nil {
		return err
	}
	if task, found := p.Task(t.task.ID()); !found || len(p.BlockedBy(task)) == 0 {
		return nil
	}
	ref, err := w.place.store(ctx, head, "", true)
	if err != nil {
		return err
	}
	w.report(Kept, t.task.ID(), "", "the work begins afresh; what was done before is on "+strings.TrimPrefix(ref, "refs/heads/"))
	return w.place.git(ctx, "reset", "--quiet", "--hard", w.target.tip)
}
