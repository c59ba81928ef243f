package walk

import (
	"context"
	"strings"

	"git-ralph/internal/git"
)

// CommitsChanging lists the commits in from..to that changed path, oldest first. Where from is "", it lists those that no
// reference reaches, such as the commits of a push before it is accepted. Both are commit ids.
func CommitsChanging(ctx context.Context, r *git.Repo, from, to, path string) ([]string, error) {
	args := []string{"rev-list", "--full-history", "--reverse", to, "--not", "--all"}
	if from != "" {
		args = []string{"rev-list", "--full-history", "--reverse", to, "^" + from}
	}
	out, err := r.Git().Run(ctx, nil, append(args, "--", path)...)
	return strings.Fields(out), err
}

// FileHistory lists the commits that changed path among the ancestors of a commit, newest first.
func FileHistory(ctx context.Context, r *git.Repo, from, path string) ([]string, error) {
	out, err := r.Git().Run(ctx, nil, "rev-list", "--full-history", from, "--", path)
	return strings.Fields(out), err
}

// TouchOnly reports whether each commit in before..after changes the file at path and nothing else.
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

// FilesOf lists the paths that differ between a commit and one of its parents; "" for a commit without any. Both are ids.
func FilesOf(ctx context.Context, r *git.Repo, parent, commit string) ([]string, error) {
	args := []string{"diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-commit-id", "--root", commit}
	if parent != "" {
		args = append(args[:len(args)-2], parent, commit)
	}
	out, err := r.Git().Output(ctx, args...)
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == 0 }), err
}

// ParentsOfLastChange returns the parents of the commit that last changed the file at path, as of commit. For git, a merge changed
// the file only if it differs from every parent.
func ParentsOfLastChange(ctx context.Context, r *git.Repo, commit, path string) (parents []string, err error) {
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
