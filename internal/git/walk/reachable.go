package walk

import (
	"context"
	"strings"

	"git-ralph/internal/git"
)

// Reachable lists the commits that HEAD reaches, or all branches and tags too, but for those that another commit reaches; newest
// first. except is a commit's id; "" for none.
func Reachable(ctx context.Context, r *git.Repo, all bool, except string) ([]git.Hash, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	args := []string{"rev-list"}
	if head != "" {
		args = append(args, head)
	}
	if all {
		args = append(args, "--branches", "--tags", "--remotes")
	}
	if len(args) == 1 {
		return nil, nil
	}
	if except != "" {
		args = append(args, "^"+except)
	}
	out, err := r.Git().Run(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	lines := strings.Fields(out)
	ids := make([]git.Hash, len(lines))
	for i, line := range lines {
		if ids[i], err = git.ParseHash(line); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
