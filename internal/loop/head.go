package loop

import (
	"cmp"
	"context"
	"errors"

	"git-ralph/internal/git"
)

// tellBranch warns where the agent left the branch. What comes next is committed where HEAD is now.
func (it *iteration) tellBranch(now string) {
	was := it.before.branch
	switch {
	case now == was:
	case now == "":
		it.warn(it.n, "HEAD left the branch %s, and is on none now: `git branch NAME` keeps what is committed there", was)
	default:
		it.warn(it.n, "HEAD is on the branch %s now, and was on %s: the work goes on there", now, cmp.Or(was, "none"))
	}
}

// tellUnfinished warns where git is in the middle of a merge, a rebase or the like, and was not before: nothing is committed
// with the plan until that ends.
func (l *Loop) tellUnfinished(n int) {
	now := l.Store.Repo().Unfinished()
	if now != "" && now != l.unfinished {
		l.warn(n, "git is in the middle of a %s: until it ends the plan is changed and not committed", now)
	}
	l.unfinished = now
}

// onlyPlan reports whether the agent's commits hold nothing but the plan: then the plan says whether it got on.
func (it *iteration) onlyPlan(ctx context.Context, now string) bool {
	if it.before.head == "" {
		return false
	}
	only, err := it.Store.Repo().TouchOnly(context.WithoutCancel(ctx), it.before.head, now, it.Store.PlanPath())
	return err == nil && only
}

// newCommits counts the commits that the agent added, and warns where it lost some: whatever the plan says then is none
// of its doing.
func (it *iteration) newCommits(ctx context.Context, before, after string) (n int, lost bool) {
	if before == after || after == "" {
		return 0, false
	}
	n, err := it.Store.Repo().CountCommits(context.WithoutCancel(ctx), before, after)
	if errors.Is(err, git.ErrNotAncestor) {
		it.warn(it.n, "HEAD moved from %.12s to %.12s, which does not hold it: `git reflog` has what is lost", before, after)
		return 0, true
	}
	if err != nil {
		return 0, false
	}
	return n, false
}
