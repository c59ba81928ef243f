// Package githooks embeds the hook scripts, one per hook, written for sh. A script
// returns at once where the commit does not change the plan, and calls `git ralph hook`
// where it does. The scripts work unchanged; Script adapts them to a repository.
//
// A script is written so that it can also be a part of another hook's file, or
// the body of a shell function: it ends the hook only in order to refuse, keeps
// to names that begin with ralph, and works under `set -eu`. It refuses where git
// ralph ends with 1 or 5. Any other status is that of a program which cannot be
// run, has no such command, or was killed: nothing was checked.
package githooks

import (
	"embed"
	"slices"
	"strings"
)

//go:embed pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit post-merge post-checkout post-rewrite pre-push
var scripts embed.FS

// Placeholders in the scripts, which Script replaces.
const (
	anyPlan    = `'ralph/plan.jsonl'`
	anyProgram = `'/usr/local/bin/git-ralph'`
	firstLine  = "#!/bin/sh\n"
)

// Names returns the hooks that are installed by default, in the order in which
// git runs them.
func Names() []string {
	return []string{
		"pre-commit", "pre-merge-commit", "commit-msg", "post-commit", "post-merge", "post-checkout", "post-rewrite",
	}
}

// OnDemand returns the hooks that are installed where a setting asks for them.
func OnDemand() []string { return []string{"prepare-commit-msg", "pre-push"} }

// Setting returns the setting that asks for a hook of OnDemand.
func Setting(name string) string {
	switch name {
	case "prepare-commit-msg":
		return "ralph.hooks.prepareCommitMsg"
	case "pre-push":
		return "ralph.hooks.prePush"
	}
	return ""
}

// Settings returns the settings of what hooks do.
func Settings() []string {
	return []string{"ralph.hooks.preCommit", "ralph.hooks.trailers", "ralph.hooks.close", "ralph.hooks.closeWords"}
}

// Values returns what one of Settings may be, its default first.
func Values(setting string) []string {
	switch setting {
	case "ralph.hooks.preCommit":
		return []string{"error", "warn", "off"}
	case "ralph.hooks.close":
		return []string{"fold", "commit", "off"}
	case "ralph.hooks.trailers":
		return []string{"true", "false"}
	}
	return []string{"false", "true"}
}

// Listed joins values: "error, warn or off".
func Listed(values []string) string {
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// A Place holds the paths that a script needs.
type Place struct {
	Plan    string // slash-separated, relative to the worktree's root
	Program string // git-ralph, where the PATH that hooks see does not have it
}

// Script returns a hook that has a file of its own, "" for one that we do
// not have.
func Script(name string, at Place) string {
	if !slices.Contains(Names(), name) && !slices.Contains(OnDemand(), name) {
		return ""
	}
	text, err := scripts.ReadFile(name)
	if err != nil {
		return ""
	}
	return strings.NewReplacer(anyPlan, Quote(at.Plan), anyProgram, Quote(at.Program)).Replace(string(text))
}

// Body returns a hook's lines for use within another script.
func Body(name string, at Place) string { return strings.TrimPrefix(Script(name, at), firstLine) }

// Quote returns text as one word for sh.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
