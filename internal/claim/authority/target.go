package authority

import (
	"context"
	"strings"
)

// Copy returns the full name under which a branch of the authority can be read here: over a remote, that of the copy which was
// fetched last.
func (c *Claims) Copy(branch string) string {
	if c.remote == "" {
		return branch
	}
	return "refs/ralph/remote/" + c.remote + strings.TrimPrefix(branch, "refs")
}

// logged makes git keep a reflog of what is fetched: it shows what a branch of the remote has no more.
const logged = "core.logAllRefUpdates=always"

// Fetched is Copy after a fetch.
func (c *Claims) Fetched(ctx context.Context, branch string) (string, error) {
	here := c.Copy(branch)
	r, ok := c.authority.(*Remote)
	if !ok {
		return here, nil
	}
	return here, r.fetch(ctx, logged, "+"+branch+":"+here)
}
