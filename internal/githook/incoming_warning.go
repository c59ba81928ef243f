package githook

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/plan"
)

// reportArrived prints one line if the plan after a merge, checkout or rebase needs attention: it
// is invalid, it has recorded conflicts, or removed tasks came back.
func (r run) reportArrived(ctx context.Context, name string) error {
	if name == "post-checkout" && r.repo.Operations().Unfinished() == "rebase" && r.repo.Operations().RebaseRewrites() {
		return nil // post-rewrite reports at its end
	}
	snap, err := r.Store.View(ctx)
	if err != nil || !snap.Exists {
		return nil //nolint:nilerr // the next command reports it
	}
	if errs := errorsWithHints(snap); len(errs) > 0 {
		problems := "1 problem"
		if len(errs) > 1 {
			problems = fmt.Sprintf("%d problems", len(errs))
		}
		r.Report("warning", fmt.Sprintf("%s is not valid: %s; `git ralph check` lists them", snap.File, problems))
		return nil
	}
	if ids := conflicted(snap.Plan); len(ids) > 0 {
		r.Report("warning", fmt.Sprintf("%s holds recorded conflicts (%s); `git ralph query conflicts` lists them", snap.File, firstIDs(ids)))
		return nil
	}
	if name == "post-checkout" {
		return nil
	}
	if ids := r.reappeared(ctx, snap.Plan, name == "post-merge"); len(ids) > 0 {
		r.Report("warning", fmt.Sprintf("tasks came back: %s; `git ralph task cancel` takes them out again", firstIDs(ids)))
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

// firstIDs lists the first ids.
func firstIDs(ids []string) string {
	const maxListed = 5
	if len(ids) > maxListed {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:maxListed], ", "), len(ids)-maxListed)
	}
	return strings.Join(ids, ", ")
}
