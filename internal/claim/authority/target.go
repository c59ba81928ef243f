package authority

import (
	"context"
	"fmt"
	"slices"
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

// Published returns the commits of branches at the remote, by full name; without a remote, none.
func (c *Claims) Published(ctx context.Context, branches ...string) (map[string]string, error) {
	r, ok := c.authority.(*Remote)
	if !ok || len(branches) == 0 {
		return nil, nil
	}
	if len(branches) > maxNamed {
		branches = []string{"refs/heads/*"}
	}
	result, err := r.git(ctx, slices.Concat([]string{"ls-remote", "--quiet", "--refs", "--", r.url}, branches)...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRemote, err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(result.Stdout)) {
		if id, name, found := strings.Cut(strings.TrimSpace(line), "\t"); found {
			all[name] = id
		}
	}
	return all, nil
}

// maxNamed is how many branches are named in one command.
const maxNamed = 200
