// Package doctor checks a repository for what keeps git ralph from working: each part of the installation, the
// programs, git, the settings, the plan and the claims. A Finding says what is wrong and how to repair it; `doctor --fix` repairs some.
package doctor

import (
	"context"
	"slices"
	"time"

	"git-ralph/internal/agentkit"
	"git-ralph/internal/install"
	"git-ralph/internal/store"
)

// A Level says how bad a finding is.
type Level string

// The levels, the worst last. Advice is not a problem.
const (
	Fine    Level = "ok"
	Advice  Level = "advice"
	Warning Level = "warning"
	Error   Level = "error"
)

// A Finding is the result of one check.
type Finding struct {
	Name   string // of what was checked: "merge driver"
	Level  Level
	Cause  string // what is wrong, or what was found
	Repair string // what to do about it; "" where there is nothing
	Remedy
}

// A Remedy is what `doctor --fix` can do about a finding.
type Remedy string

// The remedies; the zero one is none.
const (
	Reinstall Remedy = "install"
	Reorder   Remedy = "fmt"
	Resolve   Remedy = "resolve"
	Recover   Remedy = "recover"

	DeleteClaims Remedy = "claims"
	RemoveBroken Remedy = "broken"
	RemoveLocks  Remedy = "locks"
	EndLanding   Remedy = "landing"
)

// A Repository is the repository to check.
type Repository struct {
	Store   *store.Store
	Install install.Options // what should be installed
	Claims  *Claims         // nil where there are none
	// ClaimsError says why the claims cannot be opened.
	ClaimsError error
	Dir         string // the user's
	Agents      agentkit.Places
	Environ     []string
	Program     string // this program's file
	Version     string // its version
	Now         time.Time
}

// Examine checks everything. A finding that causes others comes before them.
func Examine(ctx context.Context, p Repository) ([]Finding, error) {
	git, err := p.git(ctx)
	if err != nil {
		return nil, err
	}
	settings, err := p.settings(ctx)
	if err != nil {
		return nil, err
	}
	installed, err := p.installed(ctx)
	if f, ok := SettingFinding(err); ok {
		installed, err = []Finding{f}, nil
	}
	if f, ok := unreadableFile(err); ok {
		installed, err = []Finding{f}, nil
	}
	if err != nil {
		return nil, err
	}
	plan, err := p.plan(ctx)
	if err != nil {
		return nil, err
	}
	return slices.Concat(git, p.programs(ctx), settings, installed, p.agents(), plan, p.claims(ctx)), nil
}

// Healthy reports whether nothing is wrong.
func Healthy(findings []Finding) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool { return f.Level == Warning || f.Level == Error })
}
