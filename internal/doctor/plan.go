package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// plan checks the worktree's plan.
func (p Repository) plan(ctx context.Context) ([]Finding, error) {
	f := Finding{Name: "plan", Level: Fine}
	snap, err := p.Store.View(ctx)
	switch {
	case errors.Is(err, store.ErrEmptyBare):
		f.Level, f.Cause, f.Repair = Advice, err.Error(), "push a branch that holds a plan to it"
		return []Finding{f}, nil
	case err != nil:
		f.Level, f.Cause = Error, err.Error()
		return []Finding{f}, nil
	case snap.Missing:
		f.Level, f.Cause = Error, p.Store.PlanPath()+" is missing from the worktree, though HEAD has it"
		f.Repair = "`git restore " + p.Store.PlanPath() + "` brings it back; `git rm` deletes it permanently"
		return []Finding{f}, nil
	case !snap.Exists:
		f.Level, f.Cause, f.Repair = Advice, "there is no plan", "`git ralph init` begins one"
		return []Finding{f}, nil
	}
	if problems := snap.Errors(); len(problems) > 0 {
		f.Level, f.Cause = Error, problems[0].In(snap.File)
		if len(problems) > 1 {
			f.Cause += fmt.Sprintf(" (and %d more; `git ralph check` lists them)", len(problems)-1)
		}
		f.Repair, f.Remedy = p.repair(ctx, problems)
		return []Finding{f}, nil
	}
	f.Cause = snap.File + " is valid"
	return slices.Concat([]Finding{f}, p.spec(snap.Plan), adviceFindings(snap.Plan)), nil
}

// spec reports a spec whose file an agent could not be given.
func (p Repository) spec(current *plan.Plan) []Finding {
	if current.Spec() == "" {
		return nil
	}
	err := p.Store.CheckSpec(current.Spec())
	if err == nil {
		return nil
	}
	return []Finding{{Name: "spec", Level: Advice, Cause: err.Error(), Repair: "write it, or name another one with `git ralph set-spec FILE`"}}
}

// repair returns what to do about a plan that is not valid: conflict markers and duplicate ids can be merged; for anything else
// there is the last valid revision.
func (p Repository) repair(ctx context.Context, problems plan.Problems) (string, Remedy) {
	switch problems[0].Code {
	case plan.CodeConflictMarker, plan.CodeDuplicateID:
		return "`git ralph resolve --all` merges what the plan holds twice", Resolve
	}
	commit, err := p.lastValidRevision(ctx)
	if err != nil || commit == "" {
		return "correct the line by hand", ""
	}
	return fmt.Sprintf("correct the line by hand, or bring the last valid plan back: `git checkout %.9s -- :/%s`", commit, p.Store.PlanPath()), ""
}

// lastValidRevision finds the newest commit whose plan is valid, "" where there is none.
func (p Repository) lastValidRevision(ctx context.Context) (string, error) {
	head, err := p.Store.Resolve(ctx, "HEAD")
	if errors.Is(err, git.ErrBadRevision) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	commits, err := walk.FileHistory(ctx, p.Store.Repo(), head, p.Store.PlanPath())
	for _, commit := range commits {
		snap, err := p.Store.At(ctx, commit)
		if err != nil {
			return "", err
		}
		if snap.Exists && len(snap.Errors()) == 0 {
			return commit, nil
		}
	}
	return "", err
}

// adviceFindings reports what is valid but could be better.
func adviceFindings(p *plan.Plan) []Finding {
	var findings []Finding
	if !p.IsCanonical() {
		findings = append(findings, Finding{
			Name: "order of lines", Level: Advice, Cause: "lines are not in the canonical order, so two people who add tasks conflict in text merges",
			Repair: "`git ralph fmt` puts them in order", Remedy: Reorder,
		})
	}
	if length, known, crowded := p.CrowdedIDs(); crowded {
		findings = append(findings, Finding{
			Name: "ids", Level: Advice,
			Cause:  fmt.Sprintf("there are ids of %d characters among %d known ones: two clones may generate the same id", length, known),
			Repair: "nothing: new ids are longer, and a merge keeps both records",
		})
	}
	return findings
}
