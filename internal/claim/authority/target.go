package authority

import (
	"context"
	"strings"

	"git-ralph/internal/claim"
)

// A Target is a branch that finished work becomes part of, and how to read it.
type Target struct {
	Branch string // full name; "" where there is nothing to fetch
	// At returns what the branch shows, by the name that it can be read at here. Where the plan cannot be read it returns an error, never
	// an empty target: claims of tasks that the target does not show are deleted.
	At func(ctx context.Context, ref string) (claim.Target, error)
}

// Show returns what a target shows, over a remote after a fetch.
func (c *Claims) Show(ctx context.Context, target *Target) (claim.Target, error) {
	ref, err := c.Fetched(ctx, target.Branch)
	if err != nil {
		return nil, err
	}
	return target.At(ctx, ref)
}

// ends reports whether any claim is over by what a target shows. Those for another one are not for it to say.
func (t *Target) ends(held map[string]claim.Held, shown claim.Target) bool {
	for _, h := range held {
		if h.Bad == "" && (h.Claim.Into == "" || h.Claim.Into == t.Branch) && !shown.Round(h.Claim) {
			return true
		}
	}
	return false
}

// Copy returns the full name under which a branch of the authority can be read here: over a remote, that of the copy which was
// fetched last.
func (c *Claims) Copy(branch string) string {
	if c.remote == "" || branch == "" {
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
	if !ok || branch == "" {
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
	return r.published(ctx, branches)
}

// maxNamed is how many branches are named in one command.
const maxNamed = 200
