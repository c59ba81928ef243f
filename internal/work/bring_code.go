package work

import (
	"context"

	"git-ralph/internal/land"
	"git-ralph/internal/plan"
)

// bringCode merges the code of an earlier attempt, which is on the branch of a pull request and not in the target. Where that has a
// conflict, the agent is left to merge it.
func (w *Worker) bringCode(ctx context.Context, t *taken) {
	value, _ := t.task.Meta().Get(plan.CodeCommit)
	code, _ := value.Str()
	if code == "" {
		return
	}
	if w.place.git(ctx, "cat-file", "-e", code+"^{commit}") != nil && w.Claims.Remote() != "" {
		w.place.git(ctx, "fetch", "--quiet", "--no-tags", w.Claims.Remote(), land.CodeReference(t.task.ID(), code)) //nolint:errcheck // the merge fails then
	}
	if err := w.place.git(ctx, "merge", "--quiet", "--no-edit", "-m", "Merge the code of "+t.task.ID(), code); err != nil {
		w.place.git(ctx, "merge", "--abort") //nolint:errcheck // a merge that did not begin needs none
		w.warn(t.task.ID(), "the code of the attempt before is not in its branch: merge "+code+" by hand: "+err.Error())
	}
}
