package git

import (
	"context"
	"strings"

	"git-ralph/internal/proc"
)

// MergeBases returns the best common ancestors, by id, of a commit and of the commit that a merge of others would make.
// There are none where the histories are unrelated, and several after merges that went across each other.
func (r *Repo) MergeBases(ctx context.Context, commit string, others ...string) ([]string, error) {
	out, err := r.git.Run(ctx, nil, append([]string{"merge-base", "--all", "--end-of-options", commit}, others...)...)
	if proc.ExitCode(err) == 1 {
		return nil, nil
	}
	return strings.Fields(out), err
}
