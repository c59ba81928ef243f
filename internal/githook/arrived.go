package githook

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// arrived tells in one line where the plan that is here now needs a look: it
// is invalid, it holds recorded conflicts, or tasks came back.
func (r run) arrived(ctx context.Context, name string) error {
	if name == "post-checkout" && r.repo.Unfinished() == "rebase" {
		return nil // post-rewrite tells at its end
	}
	snap, err := r.Store.View(ctx)
	if err != nil || !snap.Exists {
		return nil //nolint:nilerr // the next command tells
	}
	if errs := invalid(snap); len(errs) > 0 {
		problems := "1 problem"
		if len(errs) > 1 {
			problems = fmt.Sprintf("%d problems", len(errs))
		}
		r.Tell("warning", fmt.Sprintf("%s is not valid: %s; `git ralph check` lists them", snap.File, problems))
		return nil
	}
	if ids := conflicted(snap.Plan); len(ids) > 0 {
		r.Tell("warning", fmt.Sprintf("%s holds recorded conflicts (%s); `git ralph query conflicts` lists them", snap.File, some(ids)))
		return nil
	}
	if name == "post-checkout" {
		return nil
	}
	if ids := r.cameBack(ctx, snap.Plan, name == "post-merge"); len(ids) > 0 {
		r.Tell("warning", fmt.Sprintf("tasks came back: %s; `git ralph task cancel` takes them out again", some(ids)))
	}
	return nil
}

// conflicted returns the ids of records with a recorded conflict.
func conflicted(p *plan.Plan) []string {
	var ids []string
	for _, r := range p.Records() {
		if r.Kind() != "" && plan.IsKnown(r.Kind(), "conflict") && r.Has("conflict") {
			ids = append(ids, r.ID())
		}
	}
	return ids
}

// cameBack returns the tasks that one of both sides of a merge, or the branch
// that a rebase moved, had taken out, and that are there all the same. The
// sides are read while git looks for what they have in common, since a process
// costs more than all that is done here.
func (r run) cameBack(ctx context.Context, now *plan.Plan, merged bool) []string {
	sides := []string{"ORIG_HEAD"}
	if merged {
		sides = append(sides, "HEAD^2") // none after a fast-forward
	}
	found := make(chan ancestor, 1)
	go func() { found <- r.common(ctx, merged) }()
	reader := r.repo.Reader(ctx)
	defer reader.Close()
	var plans []*plan.Plan
	for _, side := range sides {
		if there, ok := r.planAt(reader, side); ok {
			plans = append(plans, there)
		}
	}
	base := <-found
	if base.commit == "" {
		return nil
	}
	before, _ := r.planAt(reader, base.commit)
	var ids []string
	for _, there := range plans[:min(base.sides, len(plans))] {
		for _, task := range before.Of(plan.KindTask) {
			_, kept := there.Task(task.ID())
			if again, back := now.Task(task.ID()); back && !kept && again.SameTask(task) {
				ids = append(ids, task.ID())
			}
		}
	}
	return ids
}

// ancestor is the commit that so many sides come from, "" for none.
type ancestor struct {
	commit string
	sides  int
}

// common finds what both sides of a merge come from, else what the first does.
func (r run) common(ctx context.Context, merged bool) ancestor {
	if merged {
		if base, ok := r.repo.MergeBase(ctx, "ORIG_HEAD", "HEAD^2"); ok {
			return ancestor{base, 2}
		}
	}
	base, _ := r.repo.MergeBase(ctx, "ORIG_HEAD", "HEAD")
	return ancestor{base, 1}
}

// planAt reads the plan of a commit, an empty one where it cannot be read; not
// ok where there is no such commit.
func (r run) planAt(reader git.Reader, rev string) (p *plan.Plan, ok bool) {
	commit, err := reader.Resolve(rev)
	if err != nil {
		return &plan.Plan{}, false
	}
	blob, err := reader.File(commit, r.Store.PlanPath())
	if err != nil {
		return &plan.Plan{}, true
	}
	p, _ = plan.DecodeBytes(blob.Data)
	return p, true
}

// some lists the first ids.
func some(ids []string) string {
	const most = 5
	if len(ids) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
	}
	return strings.Join(ids, ", ")
}
