package walk

import (
	"context"
	"strings"

	"git-ralph/internal/git"
)

// ChangedIn lists the commits that changed path and can be reached from to, but not from from, the oldest first. Where
// from is "" they are those that no reference reaches, as those of a push before it is accepted. Both are commit ids.
func ChangedIn(ctx context.Context, r *git.Repo, from, to, path string) ([]string, error) {
	args := []string{"rev-list", "--full-history", "--reverse", to, "--not", "--all"}
	if from != "" {
		args = []string{"rev-list", "--full-history", "--reverse", to, "^" + from}
	}
	out, err := r.Git().Run(ctx, nil, append(args, "--", path)...)
	return strings.Fields(out), err
}

// Revisions lists the commits that changed path and can be reached from a commit, given by id, the youngest first.
func Revisions(ctx context.Context, r *git.Repo, from, path string) ([]string, error) {
	out, err := r.Git().Run(ctx, nil, "rev-list", "--full-history", from, "--", path)
	return strings.Fields(out), err
}

// TouchOnly reports whether each commit that after has and before has not changes one file and nothing else.
func TouchOnly(ctx context.Context, r *git.Repo, before, after, path string) (bool, error) {
	const mark = "\x01"
	out, err := r.Git().Output(ctx, "-c", "core.quotePath=false", "log", "-m", "--no-renames", "--format=%x01", "--name-only", before+".."+after)
	if err != nil {
		return false, err
	}
	for names := range strings.SplitSeq(strings.TrimPrefix(string(out), mark), mark) {
		if strings.TrimSpace(names) != path {
			return false, nil
		}
	}
	return true, nil
}

// LastChange returns the parents of the commit that made the file at path what it is in commit. Git takes it that a merge
// did so only where the file is in none of its parents like that.
func LastChange(ctx context.Context, r *git.Repo, commit, path string) (parents []string, err error) {
	id, err := r.Git().Run(ctx, nil, "rev-list", "-1", "--end-of-options", commit, "--", path)
	if err != nil || id == "" {
		return nil, err
	}
	line, err := r.Git().Run(ctx, nil, "rev-list", "--no-walk", "--parents", id)
	if err != nil {
		return nil, err
	}
	return strings.Fields(line)[1:], nil
}
