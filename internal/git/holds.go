package git

import (
	"context"
	"slices"
	"strings"
)

// Holds tells which of the paths (slash-separated, from the root) are files or folders of a commit. The order is git's.
func (r *Repo) Holds(ctx context.Context, commit string, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	args := []string{"--literal-pathspecs", "ls-tree", "-z", "--name-only", "--full-tree"}
	if isMany(paths) {
		args = append(args, "-r", "-t", commit)
	} else {
		args = append(append(args, commit, "--"), paths...)
	}
	out, err := r.output(ctx, args...)
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(paths))
	for _, p := range paths {
		wanted[p] = true
	}
	found := strings.Split(string(out), "\x00")
	return slices.DeleteFunc(found, func(path string) bool { return path == "" || isMany(paths) && !wanted[path] }), nil
}
