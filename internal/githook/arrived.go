package githook

import (
	"context"
	"fmt"
	"strings"

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
		r.Tell("warning", fmt.Sprintf("%s is not valid: %d problems; `git ralph check` lists them", snap.File, len(errs)))
		return nil
	}
	if ids := conflicted(snap.Plan); len(ids) > 0 {
		r.Tell("warning", fmt.Sprintf("%s holds recorded conflicts (%s); `git ralph query conflicts` lists them", snap.File, some(ids)))
		return nil
	}
	if name == "post-checkout" {
		return nil
	}
	if ids := r.cameBack(ctx, snap.Plan); len(ids) > 0 {
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

// cameBack returns the tasks that one of both sides of a merge or rebase had
// taken out, and that are there all the same.
func (r run) cameBack(ctx context.Context, now *plan.Plan) []string {
	base, ok := r.repo.MergeBase(ctx, "ORIG_HEAD", "HEAD^2")
	sides := []string{"ORIG_HEAD", "HEAD^2"}
	if !ok {
		if base, ok = r.repo.MergeBase(ctx, "ORIG_HEAD", "HEAD"); !ok {
			return nil
		}
		sides = sides[:1]
	}
	had, err := r.Store.At(ctx, base)
	if err != nil {
		return nil
	}
	var ids []string
	for _, side := range sides {
		there, err := r.Store.At(ctx, side)
		if err != nil {
			return nil
		}
		for _, task := range had.Plan.Of(plan.KindTask) {
			_, kept := there.Plan.Task(task.ID())
			if again, back := now.Task(task.ID()); back && !kept && again.SameTask(task) {
				ids = append(ids, task.ID())
			}
		}
	}
	return ids
}

// some lists the first ids.
func some(ids []string) string {
	const most = 5
	if len(ids) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
	}
	return strings.Join(ids, ", ")
}
