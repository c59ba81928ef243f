package git

import (
	"context"
	"slices"
	"strings"
)

// PathsIn returns the paths (slash-separated, from the root) that are files or directories of a commit, in any order.
func (r *Repo) PathsIn(ctx context.Context, commit string, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	reader := r.Reader(ctx)
	defer reader.Close()
	if own := reader.files(); own != nil {
		if found, ok := own.pathsIn(commit, paths); ok {
			return found, nil
		}
	}
	args := []string{"--literal-pathspecs", "ls-tree", "-z", "--name-only", "--full-tree"}
	if TooManyForArgs(paths) {
		args = append(args, "-r", "-t", commit)
	} else {
		args = append(append(args, commit, "--"), paths...)
	}
	out, err := r.git.Output(ctx, args...)
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(paths))
	for _, p := range paths {
		wanted[p] = true
	}
	found := strings.Split(string(out), "\x00")
	return slices.DeleteFunc(found, func(path string) bool { return path == "" || TooManyForArgs(paths) && !wanted[path] }), nil
}
