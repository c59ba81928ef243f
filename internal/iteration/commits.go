package iteration

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
)

// warnOfBranch warns where the agent left the branch. What comes next is committed where HEAD is now.
func (a attempt) warnOfBranch(now string) {
	was := a.State.Branch
	switch {
	case now == was:
	case now == "":
		a.warn("HEAD was on the branch %s and is now detached: `git branch NAME` keeps its commits", was)
	default:
		a.warn("HEAD was on the branch %[2]s and is now on %[1]s, where the run continues", now, cmp.Or(was, "none"))
	}
}

// commits counts the commits that the agent added, and reports whether it lost some: whatever the plan says then is none
// of its doing.
func (a attempt) commits(ctx context.Context, after string) (n int, lost bool) {
	before := a.State.Head
	if before == after || after == "" {
		return 0, false
	}
	n, err := a.Store.Repo().CountCommits(ctx, before, after)
	if errors.Is(err, git.ErrNotAncestor) {
		a.warn("HEAD moved from %.12s to %.12s, which is no descendant of it: see `git reflog` for the lost commits", before, after)
		return 0, true
	}
	if err != nil {
		return 0, false
	}
	return n, false
}

// onlyPlan reports whether the agent's commits hold nothing but the plan: then the plan says whether it got on.
func (a attempt) onlyPlan(ctx context.Context, now string) bool {
	if a.State.Head == "" {
		return false
	}
	only, err := walk.TouchOnly(ctx, a.Store.Repo(), a.State.Head, now, a.Store.PlanPath())
	return err == nil && only
}

// warnOfSecrets warns of commits that the agent made by itself, and that hold what looks like a secret in their message or
// in the plan. They are not rewritten.
func (a attempt) warnOfSecrets(ctx context.Context, after string) {
	texts, err := walk.CommitTexts(ctx, a.Store.Repo(), a.State.Head, after, a.Store.PlanPath())
	if err != nil {
		return
	}
	var named []string
	for _, w := range texts {
		if a.Masker.HasSecret(w.Text) && !slices.Contains(named, w.ID) {
			named = append(named, w.ID)
			a.warn("the commit %.12[1]s, which the agent made, contains what looks like a secret: do not push it; `git rebase -i %.12[1]s^` changes it", w.ID)
		}
	}
}
