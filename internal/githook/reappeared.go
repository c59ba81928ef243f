package githook

import (
	"context"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/plan"
)

// sides are the plans of both sides of a merge, or of the branch before a rebase,
// and the plan of the merge base.
type sides struct {
	base *plan.Plan
	of   []*plan.Plan
}

// reappeared returns the tasks that are in the plan although one side of a merge,
// or the branch before a rebase, had removed them.
func (r run) reappeared(ctx context.Context, now *plan.Plan, merged bool) []string {
	s, ok := r.sidesInProcess(ctx, merged, fewNearCommits)
	if !ok {
		s, ok = r.sidesInProcess(ctx, merged, maxNearCommits)
	}
	if !ok {
		s, ok = r.sidesByGit(ctx, merged)
	}
	if !ok {
		return nil
	}
	var ids []string
	for _, side := range s.of {
		for _, task := range s.base.Of(plan.KindTask) {
			_, kept := side.Task(task.ID())
			if again, back := now.Task(task.ID()); back && !kept && again.SameTask(task) {
				ids = append(ids, task.ID())
			}
		}
	}
	return ids
}

// How many commits sidesInProcess reads: few, which is enough for most merges, or
// as many as take the time of two git processes.
const (
	fewNearCommits = 8
	maxNearCommits = 64
)

// sidesInProcess reads the sides without running git. It is not ok if the merge base is not among the newest limit commits, or
// history is shallow, grafted or replaced.
func (r run) sidesInProcess(ctx context.Context, merged bool, limit int) (s sides, ok bool) {
	before, ok1 := r.repo.LooseReference("ORIG_HEAD")
	head, ok2 := r.repo.LooseReference("HEAD")
	if !ok1 || !ok2 || !r.repo.PlainHistory() {
		return s, false
	}
	walker := walk.Open(ctx, r.repo)
	defer walker.Close() //nolint:errcheck // nothing was written
	g, err := walker.Walk(walk.Request{
		Tips:  []git.Hash{before, head},
		Paths: []string{r.Store.PlanPath()},
		Known: walk.Known{Has: func(git.Hash) bool { limit--; return limit < 0 }},
	})
	if err != nil {
		return s, false
	}
	at := func(id git.Hash) int32 {
		return int32(slices.IndexFunc(g.Commits, func(c walk.Commit) bool { return c.ID == id }))
	}
	commits, other := []int32{at(before)}, at(head)
	if other < 0 {
		return s, false
	}
	if parents := g.Parents(int(other)); merged && len(parents) > 1 {
		other = parents[1]
		commits = append(commits, other)
	}
	base, ok := g.MergeBase(commits[0], other)
	if !ok {
		return s, false
	}
	return plansOf(walker, g, append(commits, base))
}

// plansOf reads the plans of commits, of which the last is the merge base; an
// empty one where a commit has none. It is not ok where one is missing.
func plansOf(walker walk.Walker, g *walk.Graph, commits []int32) (s sides, ok bool) {
	var ids []git.Hash
	var of []int
	plans := make([]*plan.Plan, len(commits))
	for i, at := range commits {
		plans[i] = &plan.Plan{}
		id, err := g.Commits[at].PlanID()
		if err != nil {
			return s, false
		}
		if !id.IsZero() {
			ids, of = append(ids, id), append(of, i)
		}
	}
	err := walker.Blobs(ids, 1, func(_, i int, data []byte, err error) error {
		plans[of[i]], _ = plan.DecodeBytes(slices.Clone(data))
		return err
	})
	last := len(plans) - 1
	return sides{base: plans[last], of: plans[:last]}, err == nil
}

// sidesByGit reads the sides by running git.
func (r run) sidesByGit(ctx context.Context, merged bool) (s sides, ok bool) {
	commits := []string{"ORIG_HEAD"}
	var bases []string
	if merged {
		if bases, _ = r.repo.MergeBases(ctx, "ORIG_HEAD", "HEAD^2"); len(bases) > 0 {
			commits = append(commits, "HEAD^2")
		}
	}
	if len(bases) == 0 {
		bases, _ = r.repo.MergeBases(ctx, "ORIG_HEAD", "HEAD")
	}
	if len(bases) == 0 {
		return s, false
	}
	reader := r.repo.Reader(ctx)
	defer reader.Close()
	for _, commit := range commits {
		s.of = append(s.of, r.planAt(reader, commit))
	}
	s.base = r.planAt(reader, bases[0])
	return s, true
}

// planAt reads the plan of a commit, an empty one where it cannot be read.
func (r run) planAt(reader *git.Reader, rev string) *plan.Plan {
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
