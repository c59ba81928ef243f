package git

import (
	"context"
	"strings"
)

// InitDefaultBranch returns the setting init.defaultBranch, "" where it is not set.
func (r *Repo) InitDefaultBranch(ctx context.Context) string {
	config, err := r.Config(ctx)
	if err != nil {
		return ""
	}
	name, _ := config.Get("init.defaultBranch")
	return name
}

// Branch returns the name of the branch that HEAD is on, "" where it is on none.
func (r *Repo) Branch(ctx context.Context) (string, error) {
	ref, err := r.HeadRef(ctx)
	return strings.TrimPrefix(ref, "refs/heads/"), err
}

// RemoteDefaultBranch returns the default branch of the remote "origin" (its HEAD), "" where that is not known.
func (r *Repo) RemoteDefaultBranch(ctx context.Context) string {
	const name, prefix = "refs/remotes/origin/HEAD", "refs/remotes/origin/"
	target, _ := r.target(ctx, name) // one that cannot be read counts as not known
	branch, found := strings.CutPrefix(target, prefix)
	if !found {
		return ""
	}
	return branch
}
