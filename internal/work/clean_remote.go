package work

import (
	"context"
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/claim"
)

// maxDeletions is how many branches one push deletes at most.
const maxDeletions = 200

// remoteBranches deletes branches of workers at the claims remote that have landed, and says why the others stay. A landing deletes its own;
// these are what it could not delete, or what came to the target otherwise.
func (c *Cleaner) remoteBranches(ctx context.Context, claimed map[string]string) ([]Left, error) {
	there, err := c.Claims.Published(ctx, branchPrefix+"*")
	if err != nil {
		return nil, err
	}
	var all []Left
	var landed []claim.Move
	for _, ref := range slices.Sorted(maps.Keys(there)) {
		if !strings.HasPrefix(ref, branchPrefix) {
			continue
		}
		left := Left{Kind: LeftRemote, Name: c.Claims.Remote() + "/" + strings.TrimPrefix(ref, "refs/heads/"), Stays: claimed[ref]}
		if left.Stays == "" {
			if left.Stays, err = c.whyNotLanded(there[ref]); err != nil { // what has landed is here
				left.Stays = "its commit is not in this repository"
			}
		}
		if left.Stays == "" {
			landed = append(landed, claim.Move{Ref: ref, Old: there[ref]})
		}
		all = append(all, left)
	}
	if c.DryRun {
		return all, nil
	}
	stay := c.delete(ctx, landed)
	for i, left := range all {
		ref := "refs/heads/" + strings.TrimPrefix(left.Name, c.Claims.Remote()+"/")
		if why := stay[ref]; why != "" {
			all[i].Stays = why
		}
	}
	return all, nil
}

// delete deletes branches at the remote that are still where they were. It returns why others stay.
func (c *Cleaner) delete(ctx context.Context, landed []claim.Move) map[string]string {
	stay := map[string]string{}
	for some := range slices.Chunk(landed, maxDeletions) {
		if _, err := c.Claims.Change(ctx, claim.Batch{Moves: some}); err != nil {
			for _, m := range some {
				stay[m.Ref] = strings.Join(strings.Fields(err.Error()), " ")
			}
		}
	}
	return stay
}
