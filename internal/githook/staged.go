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

// staged looks at the plan that a commit is about to hold. A merge is held to
// what makes a plan valid, and not to what was in it before. An amended commit
// is compared with its parent: it brings what HEAD brought.
func (r run) staged(ctx context.Context, name string, args []string) error {
	answer := r.setting(true, "ralph.hooks.preCommit")
	if answer == "off" {
		return nil
	}
	snap, ours, err := r.Store.Staged(ctx)
	if err != nil {
		return r.unsure("the plan was not checked", err)
	}
	if !snap.Exists {
		return nil
	}
	parent := "HEAD"
	if name == "pre-commit" && r.amends(ctx, args) {
		parent = "HEAD^"
	}
	errs, warnings := invalid(snap), plan.Problems(nil)
	if len(errs) == 0 && !ours && name == "pre-commit" && r.repo.Operations().Unfinished() == "" {
		before, err := r.before(ctx, parent)
		if err != nil {
			return r.unsure("the plan was not compared with HEAD's", err)
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

// before returns the plan of the parent of the commit that is being made; an
// empty one where there is none, or none that can be read.
func (r run) before(ctx context.Context, parent string) (*plan.Plan, error) {
	snap, err := r.Store.At(ctx, parent)
	if errors.Is(err, git.ErrBadRevision) || err == nil && !snap.Problems.Readable() {
		return &plan.Plan{}, nil
	}
	return snap.Plan, err
}

// invalid returns what makes a plan invalid. Each problem names its task, and
// the command that does right what was done wrong.
func invalid(snap store.Snapshot) plan.Problems {
	errs := snap.Errors()
	for i, p := range errs {
		if p.ID != "" && !strings.Contains(p.Message, p.ID) {
			errs[i].Message = p.ID + ": " + p.Message
		}
		if p.Hint == "" {
			errs[i].Hint = commandFor(p)
		}
	}
	slices.SortStableFunc(errs, func(a, b plan.Problem) int { return a.Line - b.Line })
	return errs
}

// commandFor returns a hint to the command that makes such a change right.
func commandFor(p plan.Problem) string {
	switch {
	case p.Code == plan.CodeState:
		return fmt.Sprintf("`git ralph task done %s` marks a task done, from a plan in which it is pending", p.ID)
	case strings.HasPrefix(p.ID, "i-"):
		return "`git ralph issue add` and `git ralph issue done` write the lines of issues"
	case p.ID != "":
		return fmt.Sprintf("`git ralph task edit %s '{\"name\": \"…\"}'` changes a task and keeps its line right", p.ID)
	}
	return "`git ralph task add` and `git ralph task edit` write lines that are right"
}

// refusal makes an error of problems, with a last hint; nil where there are
// none.
func refusal(file string, problems plan.Problems, hint string) error {
	if len(problems) == 0 {
		return nil
	}
	last := &problems[len(problems)-1]
	last.Hint = strings.TrimPrefix(last.Hint+"\n"+hint, "\n")
	return &plan.InvalidError{File: file, Problems: problems}
}
