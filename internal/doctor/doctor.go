// Package doctor looks for what keeps git ralph from working in a repository: each part of the installation, the
// programs, git, and the plan. A Finding says what is wrong and what mends it; some can be mended here.
package doctor

import (
	"context"
	"slices"
	"time"

	"git-ralph/internal/install"
	"git-ralph/internal/store"
)

// A Level says how bad a finding is.
type Level string

// The levels, the worst last. Advice is nothing wrong.
const (
	Fine    Level = "ok"
	Advice  Level = "advice"
	Warning Level = "warning"
	Error   Level = "error"
)

// A Finding is what was found about one thing.
type Finding struct {
	Name  string // of the thing: "merge driver"
	Level Level
	Cause string // what is so
	Mend  string // what to do about it; "" where there is nothing
	Remedy
}

// A Remedy is what Mend can do about a finding.
type Remedy string

// The remedies; the zero one is none.
const (
	Reinstall Remedy = "install"
	Reorder   Remedy = "fmt"
	Resolve   Remedy = "resolve"
	Recover   Remedy = "recover"
)

// A Patient is a repository that is looked at.
type Patient struct {
	Store   *store.Store
	Install install.Options // what should be installed
	Environ []string
	Program string // this program's file
	Version string // its version
	Now     time.Time
}

// Examine looks at everything. The findings stand in the order of causes: what makes others is before them.
func Examine(ctx context.Context, p Patient) ([]Finding, error) {
	git, err := p.git(ctx)
	if err != nil {
		return nil, err
	}
	settings, err := p.settings(ctx)
	if err != nil {
		return nil, err
	}
	installed, err := p.installed(ctx)
	if f, ok := Misset(err); ok {
		installed, err = []Finding{f}, nil
	}
	if f, ok := unreadable(err); ok {
		installed, err = []Finding{f}, nil
	}
	if err != nil {
		return nil, err
	}
	plan, err := p.plan(ctx)
	if err != nil {
		return nil, err
	}
	return slices.Concat(git, p.programs(ctx), settings, installed, plan), nil
}

// Healthy tells whether nothing is wrong.
func Healthy(findings []Finding) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool { return f.Level == Warning || f.Level == Error })
}
