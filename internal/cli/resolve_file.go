package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/resolve"
	"git-ralph/internal/store"
)

// settleFile is `git ralph resolve --all`.
func (o resolveOptions) settleFile(ctx context.Context, env *Env) error {
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	var s fileSettler
	err = o.update(ctx, env, st, store.Request{Mend: s.mend, Do: s.tell, Subject: "resolve the plan"})
	if errors.Is(err, resolve.ErrNothing) {
		return &nothingError{text: st.PlanPath() + " is not in conflict", hint: "`git ralph resolve` lists recorded conflicts"}
	}
	return err
}

// A fileSettler makes a valid plan of a file in conflict, and tells what it did.
type fileSettler struct {
	origin resolve.Origin
	before string // the file as it was
}

func (s *fileSettler) mend(found store.Found) (merge.Result, error) {
	f := resolve.File{Path: found.Path, Data: found.Data, Stages: (*resolve.Versions)(found.Stages)}
	f.Sources = func(yield func(resolve.Versions, error) bool) {
		for v, err := range found.Sources {
			if !yield(resolve.Versions(v), err) {
				return
			}
		}
	}
	result, err := resolve.Settle(f)
	s.origin, s.before = result.Origin, string(found.Data)
	if invalid, ok := errors.AsType[*plan.InvalidError](err); ok && invalid.File == found.Path && found.Stages != nil {
		invalid.Problems = hinted(invalid.Problems, againHint(found.Path))
	}
	return result.Result, err
}

// againHint says what to do about a file that cannot be read while git knows the
// versions that it was made of.
func againHint(path string) string {
	word := "':/" + strings.ReplaceAll(path, "'", `'\''`) + "'" // from any folder, for a shell
	return "`git checkout --merge -- " + word + "` gives the file back as git merged it, without what was written since; " +
		"then `git ralph resolve --all`"
}

// hinted gives problems that say nothing of what to do a hint.
func hinted(problems plan.Problems, hint string) plan.Problems {
	all := slices.Clone(problems)
	for i := range all {
		all[i].Hint = cmp.Or(all[i].Hint, hint)
	}
	return all
}

// tell is the change: the records that did not stand in the file like that.
func (s *fileSettler) tell(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
	stood := map[string]bool{}
	for line := range strings.Lines(s.before) {
		stood[strings.TrimRight(line, "\r\n")] = true
	}
	change := plan.Change{Events: []plan.Event{{Name: plan.EventUpdated, Title: s.done()}}}
	for _, r := range p.Records() {
		if !stood[strings.TrimRight(r.JSON(), "\r")] {
			change.Records = append(change.Records, r)
		}
	}
	return change, nil
}

// done says what was done, for people.
func (s *fileSettler) done() string {
	switch s.origin {
	case resolve.Stages:
		return "merged the versions in git's index"
	case resolve.History:
		return "merged the versions that the file was made of"
	case resolve.Markers:
		return "merged what stood between conflict markers"
	case resolve.Duplicates:
		return "merged records of one id"
	}
	return "took the file as it stands"
}
