package git

import "context"

// DefaultBranch returns the name that the user's settings have for the first branch of a repository, "" for none.
func (r *Repo) DefaultBranch(ctx context.Context) string {
	config, err := r.Config(ctx)
	if err != nil {
		return ""
	}
	name, _ := config.Get("init.defaultBranch")
	return name
}
