package land

import (
	"errors"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
)

// endedBranches returns the moves that delete branches of workers at the remote, in the push that lands them: else they stay there for
// ever. A branch is deleted at the very commit that lands, and only with the last claim that names it.
func (l *lander) endedBranches(s *stack, batch claim.Batch) (moves []claim.Move) {
	if l.claims.Remote() == "" || l.o.Squash || l.o.Rebase || l.keepsBranches || l.raced == s.tip { // a squash does not contain them
		return nil
	}
	ends := map[string]bool{}
	for _, c := range batch.Changes {
		ends[c.ID] = c.Do == claim.Delete
	}
	for _, b := range s.branches() {
		isThere := func(m claim.Move) bool { return m.Ref == b.ref }
		if strings.HasPrefix(b.ref, claim.WorkPrefix) && !slices.ContainsFunc(moves, isThere) && l.isLastClaim(b, ends) {
			moves = append(moves, claim.Move{Ref: b.ref, Old: b.Commit})
		}
	}
	return moves
}

// isLastClaim reports whether claims name a branch that all end, and no other does.
func (l *lander) isLastClaim(b *branch, ends map[string]bool) bool {
	named := false
	for id, s := range l.seen.claims {
		c := s.Held.Claim
		if !s.Held.Exists() || s.Held.Bad != "" || c.Branch != b.ref {
			continue
		}
		if !ends[id] || c.Commit != b.Commit {
			return false
		}
		named = true
	}
	return named
}

// withoutDeletions makes a race of a push that was refused with deletions in it: they are no reason not to land. A remote, or a hook of the
// user's, may not allow them, and a branch may be gone; then they stay until `git ralph work clean`.
func (l *lander) withoutDeletions(s *stack, err error) error {
	switch {
	case errors.Is(err, errRace):
		l.raced = s.tip
	case authority.IsRefusal(err):
		l.keepsBranches, err = true, errRace
	}
	return err
}
