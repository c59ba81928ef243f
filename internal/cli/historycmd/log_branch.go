package historycmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

var errNoBranch = errors.New("no reference, trailer or merge names such a branch")

// branchOf returns the name of a branch in a history. The branch may be named in any way that git accepts.
func branchOf(ctx context.Context, repo *git.Repo, h *fold.History, name string) (string, error) {
	onEvent := func(branch string) bool {
		return slices.ContainsFunc(h.Events, func(e *fold.Event) bool { return slices.Contains(e.Branches, branch) })
	}
	if onEvent(name) {
		return name, nil
	}
	full := repo.FullRefName(ctx, name)
	if full == "HEAD" {
		return "", fmt.Errorf("%s is detached: want the name of a branch", name)
	}
	if strings.HasPrefix(full, "refs/tags/") {
		return full, nil
	}
	for _, candidate := range []string{full, name} {
		if short := shortBranch(candidate, repo.Remotes(ctx)); short != "" && (onEvent(short) || h.BranchState(short) != fold.BranchUnknown) {
			return short, nil
		}
	}
	err := fmt.Errorf("invalid branch %q: %w", name, errNoBranch)
	if near := nearNames(name, h.Branches()); len(near) > 0 {
		return "", &cmdline.HintedError{Err: err, Hint: "did you mean " + strings.Join(near, ", ") + "?"}
	}
	return "", err
}

// shortBranch returns the name of a branch without refs/heads/ or refs/remotes/, and without the name of its remote.
func shortBranch(name string, remotes []string) string {
	rest := strings.TrimPrefix(name, "refs/")
	if local, found := strings.CutPrefix(rest, "heads/"); found {
		return local
	}
	remote, full := strings.CutPrefix(rest, "remotes/")
	short, known := git.CutRemote(remote, remotes)
	if short != "" && (full || known || strings.HasPrefix(remote, "origin/")) {
		return short
	}
	return name
}

// nearCount is how many names are suggested.
const nearCount = 3

// nearNames returns the names most similar to a word, the nearest first.
func nearNames(word string, names []string) (near []string) {
	for len(near) < nearCount {
		name := cmdline.Nearest(word, names)
		if name == "" {
			return near
		}
		near = append(near, name)
		names = slices.DeleteFunc(names, func(n string) bool { return n == name })
	}
	return near
}

// nothingOn returns why no event of a known branch was selected.
func (f *logFilter) nothingOn(h *fold.History) string {
	if tag, found := strings.CutPrefix(f.branch, "refs/tags/"); found {
		return fmt.Sprintf("%s is a tag: nothing is done on one", tag)
	}
	if slices.ContainsFunc(h.Events, func(e *fold.Event) bool { return slices.Contains(e.Branches, f.branch) }) {
		return fmt.Sprintf("nothing that was done on %s matches the other filters", f.branch)
	}
	if h.BranchState(f.branch) == fold.BranchMerged && f.branch != h.Main() {
		return fmt.Sprintf("all of %s is on %s as well, and nothing says that it was done on %s", f.branch, h.Main(), f.branch)
	}
	return fmt.Sprintf("nothing that was done on %s changed the plan", f.branch)
}
