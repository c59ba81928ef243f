package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

var errNoBranch = errors.New("no reference, trailer or merge names such a branch")

// branchOf returns the name that a history has for a branch, given in any way that git accepts.
func branchOf(ctx context.Context, repo *git.Repo, h *fold.History, given string) (string, error) {
	onEvent := func(name string) bool {
		return slices.ContainsFunc(h.Events, func(e *fold.Event) bool { return slices.Contains(e.Branches, name) })
	}
	if onEvent(given) {
		return given, nil
	}
	full := repo.FullName(ctx, given)
	if full == "HEAD" {
		return "", fmt.Errorf("%s is detached: want the name of a branch", given)
	}
	if strings.HasPrefix(full, "refs/tags/") {
		return full, nil
	}
	for _, name := range []string{full, given} {
		if short := shortBranch(name, repo.Remotes(ctx)); short != "" && (onEvent(short) || h.Known(short) != fold.Unknown) {
			return short, nil
		}
	}
	err := fmt.Errorf("invalid branch %q: %w", given, errNoBranch)
	if near := nearNames(given, h.Branches()); len(near) > 0 {
		return "", &hintedError{err, "did you mean " + strings.Join(near, ", ") + "?"}
	}
	return "", err
}

// shortBranch returns the name of a branch without what git puts before it, and without that of its remote.
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

// nearCount is how many near names are offered.
const nearCount = 3

// nearNames returns the names that a word was probably meant to be, the nearest first.
func nearNames(word string, names []string) (near []string) {
	for len(near) < nearCount {
		name := nearest(word, names)
		if name == "" {
			return near
		}
		near = append(near, name)
		names = slices.DeleteFunc(names, func(n string) bool { return n == name })
	}
	return near
}

// nothingOn says why there is nothing to report of a branch that is known.
func (f *logFilter) nothingOn(h *fold.History) string {
	if tag, found := strings.CutPrefix(f.branch, "refs/tags/"); found {
		return fmt.Sprintf("%s is a tag: nothing is done on one", tag)
	}
	if slices.ContainsFunc(h.Events, func(e *fold.Event) bool { return slices.Contains(e.Branches, f.branch) }) {
		return fmt.Sprintf("nothing that was done on %s matches the other filters", f.branch)
	}
	if h.Known(f.branch) == fold.Held && f.branch != h.Main() {
		return fmt.Sprintf("all of %s is on %s as well, and nothing says that it was done on %s", f.branch, h.Main(), f.branch)
	}
	return fmt.Sprintf("nothing that was done on %s changed the plan", f.branch)
}
