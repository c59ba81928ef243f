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
	out, err := r.output(ctx, append([]string{"--literal-pathspecs", "ls-tree", "-z", "--name-only", "--full-tree", commit, "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	found := strings.Split(string(out), "\x00")
	return slices.DeleteFunc(found, func(path string) bool { return path == "" }), nil
}
