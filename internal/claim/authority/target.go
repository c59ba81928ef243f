package authority

import (
	"context"
	"strings"
)

// Fetched returns the full name under which a branch of the authority can be read here: over a remote, that of a copy, which is
// fetched now.
func (c *Claims) Fetched(ctx context.Context, branch string) (string, error) {
	r, ok := c.authority.(*Remote)
	if !ok {
		return branch, nil
	}
	here := "refs/ralph/remote/" + c.remote + strings.TrimPrefix(branch, "refs")
	return here, r.fetch(ctx, "+"+branch+":"+here)
}
