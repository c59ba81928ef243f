package authority

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
)

// Prefix is where an authority has its claims.
const Prefix = "refs/ralph/claims/"

// Authority is where claims are: one value for each, and one winner among those who change it.
type Authority interface {
	// Read returns the claims of tasks by id, or all claims where there are no ids. It is a fresh read, or an error.
	Read(ctx context.Context, ids ...string) (map[string]claim.Held, error)
	// Swap makes the changes of a batch: each by itself, or all of them or none together with the moves. The error is that
	// of an authority which could not be reached; nothing is then known of the changes without an outcome.
	Swap(ctx context.Context, b claim.Batch) ([]claim.Outcome, error)
	// Settle finds out what became of changes whose reply was lost. Nothing may be claimed while it fails.
	Settle(ctx context.Context) error
}

// ErrMoved: a batch of moves alone was refused, because a branch is not as expected.
var ErrMoved = errors.New("the branch moved meanwhile")

// readClaims returns the claims that references below a prefix point to, only those of ids where there are any.
func readClaims(ctx context.Context, r *git.Repo, prefix string, ids []string) (map[string]claim.Held, error) {
	objects, err := objectsOf(ctx, r, prefix, ids)
	if err != nil {
		return nil, err
	}
	reader := git.WithoutReplacements(r).Reader(ctx)
	defer reader.Close()
	held := make(map[string]claim.Held, len(objects))
	for id, object := range objects {
		h := claim.Held{ID: id, Object: object}
		if h.Claim, err = readClaim(reader, id, object); err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			h.Bad = err.Error()
		}
		held[id] = h
	}
	return held, nil
}

// objectsOf returns what the references of claims point to.
func objectsOf(ctx context.Context, r *git.Repo, prefix string, ids []string) (map[string]string, error) {
	objects := map[string]string{}
	if len(ids) == 1 {
		object, err := git.ReferenceID(ctx, r, prefix+ids[0])
		if object != "" {
			objects[ids[0]] = object
		}
		return objects, err
	}
	refs, err := git.ReferencesBelow(ctx, r, prefix)
	for name, object := range refs {
		id := name[len(prefix):]
		if claim.CheckID(id) == nil && (len(ids) == 0 || slices.Contains(ids, id)) {
			objects[id] = object
		}
	}
	return objects, err
}

func readClaim(reader *git.Reader, id, object string) (claim.Claim, error) {
	o, err := reader.Ask(object)
	if err != nil {
		return claim.Claim{}, err
	}
	if o.Kind != "blob" {
		return claim.Claim{}, fmt.Errorf("claim of %s: invalid object %s: want a blob", id, o.Kind)
	}
	return claim.Parse(id, o.Data)
}

// checkBatch refuses what is no reference of a claim.
func checkBatch(b claim.Batch) error {
	known := map[string]bool{}
	for _, c := range b.Changes {
		if err := claim.CheckID(c.ID); err != nil {
			return err
		}
		if known[c.ID] {
			return fmt.Errorf("claim of %s: a batch changes it twice", c.ID)
		}
		known[c.ID] = true
	}
	return nil
}
