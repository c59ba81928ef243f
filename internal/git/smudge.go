package git

import (
	"context"
)

// Smudge returns a function that converts a blob of path to what git would write into the worktree, or nil if git converts
// nothing.
func (r *Repo) Smudge(ctx context.Context, path string) func(id string) ([]byte, error) {
	if r.Bare() {
		return nil
	}
	if attrs, err := r.ReadAttributes(ctx, path, func(string) bool { return false }); err != nil || !attrs.Filtered {
		return nil
	}
	return func(id string) ([]byte, error) {
		return r.git.Output(ctx, "cat-file", "--filters", "--path="+path, id)
	}
}
