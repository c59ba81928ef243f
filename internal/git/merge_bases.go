package git

import (
	"context"
	"strings"

	"git-ralph/internal/proc"
)

// MergeBases returns the ids of the best common ancestors of a commit and of a hypothetical merge of others. There are none if
// the histories are unrelated, and several after criss-cross merges.
func (r *Repo) MergeBases(ctx context.Context, commit string, others ...string) ([]string, error) {
	out, err := r.git.Run(ctx, nil, append([]string{"merge-base", "--all", "--end-of-options", commit}, others...)...)
	if proc.ExitCode(err) == 1 {
		return nil, nil
	}
	return strings.Fields(out), err
}
