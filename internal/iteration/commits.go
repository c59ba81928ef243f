package iteration

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
)

// warnOfBranch warns if the agent left the branch. The run continues on the branch where HEAD is now.
func (f finishedJob) warnOfBranch(now string) {
	was := f.State.Branch
	switch {
	case now == was:
	case now == "":
		f.warn("HEAD was on the branch %s and is now detached: `git branch NAME` keeps its commits", was)
	default:
		f.warn("HEAD was on the branch %[2]s and is now on %[1]s, where the run continues", now, cmp.Or(was, "none"))
	}
}

// commits counts the commits that the agent added, and reports whether HEAD lost some: then the agent did not make the
// changes of the plan.
func (f finishedJob) commits(ctx context.Context, after string) (n int, lost bool) {
	before := f.State.Head
	if before == after || after == "" {
		return 0, false
	}
	n, err := f.Store.Repo().CountCommits(ctx, before, after)
	if errors.Is(err, git.ErrNotAncestor) {
		f.warn("HEAD moved from %.12s to %.12s, which is not a descendant of it: see `git reflog` for the lost commits", before, after)
		return 0, true
	}
	if err != nil {
		return 0, false
	}
	return n, false
}

// onlyPlan reports whether the agent's commits contain nothing but the plan: then the plan shows whether there is progress.
func (f finishedJob) onlyPlan(ctx context.Context, now string) bool {
	if f.State.Head == "" {
		return false
	}
	only, err := walk.TouchOnly(ctx, f.Store.Repo(), f.State.Head, now, f.Store.PlanPath())
	return err == nil && only
}

// warnOfSecrets warns of commits by the agent whose message, or whose change of the plan, contains what looks like a secret.
// They are not rewritten.
func (f finishedJob) warnOfSecrets(ctx context.Context, after string) {
	texts, err := walk.CommitTexts(ctx, f.Store.Repo(), f.State.Head, after, f.Store.PlanPath())
	if err != nil {
		return
	}
	var named []string
	for _, w := range texts {
		if f.Masker.HasSecret(w.Text) && !slices.Contains(named, w.ID) {
			named = append(named, w.ID)
			f.warn("the commit %.12[1]s, which the agent made, contains what looks like a secret: do not push it; `git rebase -i %.12[1]s^` changes it", w.ID)
		}
	}
}
