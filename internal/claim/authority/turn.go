package authority

import (
	"context"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/git/commit"
)

// turns is where a remote says on which commit of a branch somebody is landing.
const turns = "refs/ralph/turns/"

// A Turn is what a remote says of landings on a branch.
type Turn struct {
	Tip    string            // of the branch
	Claims map[string]string // what the claims in question point to
	Others int               // claims that there are, where it is free
	held   string            // what its reference points to
	free   bool              // that is not the tip
}

// IsTaken reports whether somebody is landing on the tip, as far as the remote says.
func (t Turn) IsTaken() bool { return !t.free }

// Turn reads whose turn it is, and where claims are, with nothing to fetch; without a remote it is nobody's.
func (c *Claims) Turn(ctx context.Context, branch string, claims ...string) (Turn, error) {
	r, ok := c.authority.(*Remote)
	if !ok {
		return Turn{free: true}, nil
	}
	refs := []string{branch, turnOf(branch)}
	for _, id := range claims {
		refs = append(refs, Prefix+id)
	}
	all, err := r.look(ctx, refs...)
	if err != nil {
		return Turn{}, err
	}
	t := Turn{Tip: all[branch], Claims: map[string]string{}, held: all[turnOf(branch)]}
	for _, id := range claims {
		t.Claims[id] = all[Prefix+id]
	}
	blob, err := commit.WriteBlob(ctx, c.repo, blobOf(t.Tip))
	if t.free = blob != t.held; t.free {
		t.Others = r.countClaims(ctx, all)
	}
	return t, err
}

// blobOf is what the reference of a turn points to.
func blobOf(tip string) []byte { return []byte(tip + "\n") }

func turnOf(branch string) string { return turns + strings.TrimPrefix(branch, "refs/heads/") }

// TakeTurn says at the remote that we land on the tip of a branch. Of all who try that for one tip, one succeeds, and the turn ends when
// the branch moves. The reference points to a blob that names the tip, not to the tip: a commit that is removed from the branch
// later is not kept.
func (c *Claims) TakeTurn(ctx context.Context, branch string, t Turn) (won bool, err error) {
	r, ok := c.authority.(*Remote)
	if !ok {
		return true, nil
	}
	blob, err := commit.WriteBlob(ctx, r.repo, blobOf(t.Tip))
	if err != nil || blob == t.held {
		return false, err
	}
	return c.changeTurn(ctx, r, branch, t.held, blob), nil
}

// NextTurn is the move by which a landing that is our turn keeps it, for the tip that it makes: part of its transaction.
func (c *Claims) NextTurn(ctx context.Context, landing claim.Move) (claim.Move, error) {
	was, err := commit.WriteBlob(ctx, c.repo, blobOf(landing.Old))
	if err != nil {
		return claim.Move{}, err
	}
	is, err := commit.WriteBlob(ctx, c.repo, blobOf(landing.New))
	return claim.Move{Ref: turnOf(landing.Ref), Old: was, New: is}, err
}

// EndTurn gives the turn for a tip back, where nothing was landed.
func (c *Claims) EndTurn(ctx context.Context, branch, tip string) error {
	r, ok := c.authority.(*Remote)
	if !ok {
		return nil
	}
	blob, err := commit.WriteBlob(ctx, r.repo, blobOf(tip))
	if err == nil {
		c.changeTurn(ctx, r, branch, blob, "")
	}
	return err
}

// changeTurn reports whether it was us who changed the reference. A failure of any kind means that it was not: nothing depends on it.
func (c *Claims) changeTurn(ctx context.Context, r *Remote, branch, was, is string) bool {
	ref := turnOf(branch)
	result, err := r.git(ctx, "-c", "remote."+r.name+".mirror=false", "push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed",
		"--no-force-if-includes", "--recurse-submodules=no", "--force-with-lease="+ref+":"+was, "--", r.name, is+":"+ref)
	return err == nil && !strings.Contains(string(result.Stdout), "=\t") // up to date: somebody else was first
}
