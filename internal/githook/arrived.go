package githook

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/plan"
)

// arrived tells in one line where the plan that is here now needs a look: it
// is invalid, it holds recorded conflicts, or tasks came back.
func (r run) arrived(ctx context.Context, name string) error {
	if name == "post-checkout" && r.repo.Unfinished() == "rebase" && r.repo.RebaseRewrites() {
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
			ids = append(ids, cmp.Or(r.ID(), "the spec"))
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
