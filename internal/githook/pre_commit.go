package githook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// preCommit checks the staged plan. For a merge, the plan only has to be valid;
// otherwise the change from the parent's plan is checked too. An amended commit is
// compared with the parent of HEAD.
func (r run) preCommit(ctx context.Context, name string, args []string) error {
	answer := r.setting(true, "ralph.hooks.preCommit")
	if answer == "off" {
		return nil
	}
	snap, ours, err := r.Store.Staged(ctx)
	if err != nil {
		return r.warnUnchecked("the plan was not checked", err)
	}
	if !snap.Exists {
		return nil
	}
	parent := "HEAD"
	if name == "pre-commit" && r.amends(ctx, args) {
		parent = "HEAD^"
	}
	errs, warnings := errorsWithHints(snap), plan.Problems(nil)
	if len(errs) == 0 && !ours && name == "pre-commit" && r.repo.Operations().Unfinished() == "" {
		before, err := r.parentPlan(ctx, parent)
		if err != nil {
			return r.warnUnchecked("the plan was not compared with HEAD's", err)
		}
		errs, warnings = judge(before, snap.Plan)
	}
	if name == "pre-commit" {
		warnings = append(warnings, r.newSecrets(ctx, snap.Plan, parent)...)
	}
	if answer == "warn" {
		errs, warnings = nil, slices.Concat(errs, warnings)
	}
	r.warn(snap.File, warnings)
	return refusal(snap.File, errs, "`git commit --no-verify` commits it all the same")
}

// parentPlan returns the plan of the parent of the commit that is being made, or
// an empty one if there is none or it cannot be read.
func (r run) parentPlan(ctx context.Context, parent string) (*plan.Plan, error) {
	snap, err := r.Store.At(ctx, parent)
	if errors.Is(err, git.ErrBadRevision) || err == nil && !snap.Problems.Readable() {
		return &plan.Plan{}, nil
	}
	return snap.Plan, err
}

// errorsWithHints returns the errors of a plan. Each names its task, and in a hint
// the command that makes such a change correctly.
func errorsWithHints(snap store.Snapshot) plan.Problems {
	errs := snap.Errors()
	for i, p := range errs {
		if p.ID != "" && !strings.Contains(p.Message, p.ID) {
			errs[i].Message = p.ID + ": " + p.Message
		}
		if p.Hint == "" {
			errs[i].Hint = hintCommand(p)
		}
	}
	slices.SortStableFunc(errs, func(a, b plan.Problem) int { return a.Line - b.Line })
	return errs
}

// hintCommand returns a hint that names the command for such a change.
func hintCommand(p plan.Problem) string {
	switch {
	case p.Code == plan.CodeImpossibleState:
		return fmt.Sprintf("`git ralph task done %s` marks a task done, from a plan in which it is pending", p.ID)
	case strings.HasPrefix(p.ID, "i-"):
		return "`git ralph issue add` and `git ralph issue done` write the lines of issues"
	case p.ID != "":
		return fmt.Sprintf("`git ralph task edit %s '{\"name\": \"…\"}'` changes a task and keeps its line right", p.ID)
	}
	return "`git ralph task add` and `git ralph task edit` write lines that are right"
}

// refusal returns an error of problems, with a last hint, or nil if there are
// none.
func refusal(file string, problems plan.Problems, hint string) error {
	if len(problems) == 0 {
		return nil
	}
	last := &problems[len(problems)-1]
	last.Hint = strings.TrimPrefix(last.Hint+"\n"+hint, "\n")
	return &plan.InvalidError{File: file, Problems: problems}
}
