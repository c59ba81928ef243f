package githook

import (
	"context"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// sides are the plans that a merge brought together, or that of the branch that
// a rebase moved, and what they come from.
type sides struct {
	before *plan.Plan
	after  []*plan.Plan
}

// cameBack returns the tasks that one of both sides of a merge, or the branch
// that a rebase moved, had taken out, and that are there all the same.
func (r run) cameBack(ctx context.Context, now *plan.Plan, merged bool) []string {
	s, ok := r.nearSides(ctx, merged)
	if !ok {
		s = r.anySides(ctx, merged)
	}
	var ids []string
	for _, there := range s.after {
		for _, task := range s.before.Of(plan.KindTask) {
			_, kept := there.Task(task.ID())
			if again, back := now.Task(task.ID()); back && !kept && again.SameTask(task) {
				ids = append(ids, task.ID())
			}
		}
	}
	return ids
}

// nearSides finds them in git's files, which starts no process; not ok where
// git is to be asked.
func (r run) nearSides(ctx context.Context, merged bool) (s sides, ok bool) {
	near := r.repo.Nearby(ctx, r.Store.PlanPath())
	if near == nil {
		return s, false
	}
	defer near.Close()
	first, ok1 := near.Ref("ORIG_HEAD")
	head, ok2 := near.Ref("HEAD")
	parents, ok3 := near.Parents(head)
	if !ok1 || !ok2 || !ok3 {
		return s, false
	}
	commits, other := []git.Hash{first}, head
	if merged && len(parents) > 1 {
		other = parents[1]
		commits = append(commits, other)
	}
	base, ok := near.Ancestor(first, other)
	for i, commit := range append(commits, base) {
		data, found := near.File(commit)
		p, _ := plan.DecodeBytes(data)
		if i < len(commits) {
			s.after = append(s.after, p)
		}
		s.before, ok = p, ok && found
	}
	return s, ok
}

// anySides asks git.
func (r run) anySides(ctx context.Context, merged bool) (s sides) {
	base, ok := "", false
	commits := []string{"ORIG_HEAD"}
	if merged {
		if base, ok = r.repo.MergeBase(ctx, "ORIG_HEAD", "HEAD^2"); ok {
			commits = append(commits, "HEAD^2")
		}
	}
	if !ok {
		base, ok = r.repo.MergeBase(ctx, "ORIG_HEAD", "HEAD")
	}
	if !ok {
		return s
	}
	reader := r.repo.Reader(ctx)
	defer reader.Close()
	for _, commit := range commits {
		s.after = append(s.after, r.planAt(reader, commit))
	}
	s.before = r.planAt(reader, base)
	return s
}

// planAt reads the plan of a commit, an empty one where it cannot be read.
func (r run) planAt(reader git.Reader, rev string) *plan.Plan {
	commit, err := reader.Resolve(rev)
	if err != nil {
		return &plan.Plan{}
	}
	blob, err := reader.File(commit, r.Store.PlanPath())
	if err != nil {
		return &plan.Plan{}
	}
	p, _ := plan.DecodeBytes(blob.Data)
	return p
}
