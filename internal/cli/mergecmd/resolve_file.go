package mergecmd

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/planrepair"
	"git-ralph/internal/store"
)

// ResolveFile is `git ralph resolve --all`.
func (o ResolveOptions) ResolveFile(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	var s fileResolver
	err = o.Update(ctx, env, st, store.Request{Repair: s.repair, Do: s.change, Subject: "resolve the plan"})
	if errors.Is(err, planrepair.ErrNothingToRepair) {
		if snap, err := st.View(ctx); err == nil && snap.Missing {
			return st.FileMissing()
		}
		return &cmdline.NothingError{Text: st.PlanPath() + " is not in conflict", Hint: "`git ralph resolve` lists recorded conflicts"}
	}
	return err
}

// A fileResolver makes a valid plan of a file in conflict, and records how.
type fileResolver struct {
	origin planrepair.Origin
	before string // the file as it was
}

func (s *fileResolver) repair(found planrepair.File) (merge.Result, error) {
	result, err := planrepair.Repair(found)
	s.origin, s.before = result.Origin, string(found.Data)
	if invalid, ok := errors.AsType[*plan.InvalidError](err); ok && invalid.File == found.Path && found.Stages != nil {
		invalid.Problems = hinted(invalid.Problems, againHint(found.Path))
	}
	return result.Result, err
}

// againHint returns what to do about a file that cannot be read while git has the
// versions that it was made of.
func againHint(path string) string {
	word := "':/" + strings.ReplaceAll(path, "'", `'\''`) + "'" // from any directory, for a shell
	return "`git checkout --merge -- " + word + "` gives the file back as git merged it, without what was written since; " +
		"then `git ralph resolve --all`"
}

// hinted returns problems with a hint added to each that has none.
func hinted(problems plan.Problems, hint string) plan.Problems {
	all := slices.Clone(problems)
	for i := range all {
		all[i].Hint = cmp.Or(all[i].Hint, hint)
	}
	return all
}

// change returns the records that the repair added or changed.
func (s *fileResolver) change(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
	before := map[string]bool{}
	for line := range strings.Lines(s.before) {
		before[strings.TrimRight(line, "\r\n")] = true
	}
	change := plan.Change{Events: []plan.Event{{Name: plan.EventUpdated, Title: s.done()}}}
	for _, r := range p.Records() {
		if !before[strings.TrimRight(r.JSON(), "\r")] {
			change.Records = append(change.Records, r)
		}
	}
	return change, nil
}

// done returns what was done, for people.
func (s *fileResolver) done() string {
	switch s.origin {
	case planrepair.Stages:
		return "merged the versions in git's index"
	case planrepair.History:
		return "merged the versions that the file was made of"
	case planrepair.Markers:
		return "merged the lines between conflict markers"
	case planrepair.Duplicates:
		return "merged records of one id"
	}
	return "took the file as it is"
}
