package git

import (
	"context"
	"strings"
)

// FullRefName returns the full name of the reference that rev, such as "@{-1}", names in git's syntax. A symbolic reference
// such as HEAD is followed to its branch. It returns "HEAD" for a detached HEAD, and "" if rev names no reference.
func (r *Repo) FullRefName(ctx context.Context, rev string) string {
	if strings.HasPrefix(rev, "-") {
		return ""
	}
	name, _ := r.git.Run(ctx, nil, "rev-parse", "--symbolic-full-name", "--verify", "-q", rev) // it fails where there is none
	return name
}
