package planio

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

// RecordIDs offers the ids of records of the plan that are not on the line yet. An id of another form is not offered: it could
// be anything. Nothing is offered from a plan that cannot be read.
func RecordIDs(of func(View) []*plan.Record) cmdline.Values {
	return func(ctx context.Context, env *term.Env, line *cmdline.Line) (all []cmdline.Candidate) {
		v, err := Source{}.View(ctx, env)
		if err != nil {
			return nil
		}
		for _, r := range of(v) {
			if plan.ValidID(r.Kind(), r.ID()) && !slices.Contains(line.Args, r.ID()) {
				all = append(all, cmdline.Candidate{Text: r.ID(), About: r.Name()})
			}
		}
		return all
	}
}

// TaskIDs offers the ids of all tasks.
func TaskIDs() cmdline.Values { return RecordIDs(func(v View) []*plan.Record { return v.Tasks() }) }

// PendingIDs offers the ids of pending tasks, in the order of work.
func PendingIDs() cmdline.Values {
	return RecordIDs(func(v View) []*plan.Record { return v.Pending() })
}

// IssueIDs offers the ids of issues.
func IssueIDs() cmdline.Values { return RecordIDs(func(v View) []*plan.Record { return v.Issues() }) }

// ItemIDs offers the ids of items, and the numbers of those that have one.
func ItemIDs() cmdline.Values {
	return func(ctx context.Context, env *term.Env, line *cmdline.Line) (all []cmdline.Candidate) {
		v, err := Source{}.View(ctx, env)
		if err != nil {
			return nil
		}
		for _, r := range v.Plan.Of(plan.KindItem) {
			for _, name := range slices.Compact([]string{r.ID(), r.ItemLabel()}) {
				if plan.ValidID(r.Kind(), r.ID()) && !slices.Contains(line.Args, name) {
					all = append(all, cmdline.Candidate{Text: name, About: r.Name()})
				}
			}
		}
		return all
	}
}

// FieldTexts offers the texts that a field has in the plan.
func FieldTexts(of func(plan.Record) []string) cmdline.Values {
	return func(ctx context.Context, env *term.Env, _ *cmdline.Line) []cmdline.Candidate {
		v, err := Source{}.View(ctx, env)
		if err != nil {
			return nil
		}
		var texts []string
		for _, r := range v.Plan.Records() {
			texts = append(texts, of(r)...)
		}
		slices.Sort(texts)
		return cmdline.Candidates(slices.Compact(texts))
	}
}

// maxSpecs is how many files in the directory of specs are considered.
const maxSpecs = 1000

// Specs offers the files in the directory of specs, and those that the plan names.
func Specs(ctx context.Context, env *term.Env, _ *cmdline.Line) []cmdline.Candidate {
	s, err := Open(ctx, env)
	if err != nil {
		return nil
	}
	var names []string
	if snap, err := s.View(ctx); err == nil {
		for _, r := range snap.Plan.Records() {
			names = append(names, r.Spec())
		}
	}
	place, _ := s.SpecPath("")
	dir := filepath.Join(s.Repo().Root(), filepath.FromSlash(place))
	looked := 0
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if looked++; err != nil || looked > maxSpecs {
			return fs.SkipAll
		}
		if name, err := filepath.Rel(dir, path); err == nil && d.Type().IsRegular() {
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	slices.Sort(names)
	return cmdline.Candidates(slices.Compact(names))
}
