package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
)

// Claims are the claims of a repository, and how to read all of them with what the target shows.
type Claims struct {
	*authority.Claims
	All func(context.Context) (map[string]claim.Seen, error)
}

// claimsName is the name of findings about claims.
const claimsName = "claims"

// What is wrong with claims.
const (
	unreadableClaim = "cannot be read, and so counts as held by somebody"
	emptyClaim      = "points to an object that is missing or empty"
	overClaim       = "is over: the target branch does not show the task as pending"
	endedClaim      = "is stale: its worker has ended"
	expiredClaim    = "is stale: it was not renewed in time"
	lostWork        = "waits to land, and its commit is gone"
	noWork          = "waits to land, and names no branch with a commit"
	rewrittenWork   = "waits to land, and began at a commit that is no longer in the target branch"
)

// claims looks at claims that hold tasks back although nobody works on them, and at what keeps claims from changing.
func (p Repository) claims(ctx context.Context) []Finding {
	findings := append(p.leftLocks(), p.brokenClaims()...)
	if p.ClaimsError != nil {
		return append(findings, Finding{Name: claimsName, Level: Error, Cause: p.ClaimsError.Error()})
	}
	if p.Claims == nil {
		return findings
	}
	if p.Claims.IsDeclined() {
		findings = append(findings, Finding{
			Name: claimsName, Level: Error, Cause: "the remote " + p.Claims.Remote() + " refuses references below refs/ralph",
			Repair: "`git config ralph.claims.remote NAME` names another one; without it, claims count in this clone alone",
		})
	}
	faults, _, err := p.claimFaults(ctx)
	if err != nil {
		return append(findings, Finding{Name: claimsName, Level: Warning, Cause: "they cannot be read: " + err.Error()})
	}
	for _, fault := range [...]string{unreadableClaim, emptyClaim, overClaim, endedClaim, expiredClaim, lostWork, noWork, rewrittenWork} {
		if ids := faults[fault]; len(ids) > 0 {
			findings = append(findings, p.claimFinding(fault, ids))
		}
	}
	return findings
}

// claimFinding reports claims with the same fault.
func (p Repository) claimFinding(fault string, ids []string) Finding {
	f := Finding{Name: claimsName, Level: Warning, Cause: "the claim of " + ids[0] + " " + fault, Repair: "`git ralph doctor --fix` deletes it", Remedy: DeleteClaims}
	const listed = 5
	if len(ids) > 1 {
		f.Cause += "; so of " + strings.Join(ids[1:min(len(ids), listed)], ", ")
	}
	if len(ids) > listed {
		f.Cause += fmt.Sprintf(" and %d more", len(ids)-listed)
	}
	ref, remote := authority.Prefix+ids[0], p.Claims.Remote()
	switch {
	case fault == rewrittenWork:
		f.Remedy, f.Repair = "", "`git ralph land --all` gives the task back, and leaves the branch"
	case remote != "":
		f.Remedy, f.Repair = "", fmt.Sprintf("`git push --no-verify %s :%s` deletes it", remote, ref)
	case fault == unreadableClaim:
		f.Remedy, f.Repair = "", fmt.Sprintf("`git update-ref --no-deref -d %s` deletes it", ref)
	}
	return f
}

// claimFaults returns the tasks whose claims have a fault, by fault, and the changes that delete what can be deleted. The claims of
// a remote are left to the commands that contact it: here they are known as they were when last read.
func (p Repository) claimFaults(ctx context.Context) (faults map[string][]string, repair []claim.Change, err error) {
	seen := map[string]claim.Seen{}
	if p.Claims.Remote() != "" {
		copies, copiesErr := p.Claims.Copies(ctx)
		for id, h := range copies {
			seen[id] = claim.Seen{Held: h}
		}
		err = copiesErr
	} else {
		seen, err = p.Claims.All(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	faults = map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		fault, err := p.claimFault(ctx, seen[id])
		if err != nil {
			return nil, nil, err
		}
		if fault == "" {
			continue
		}
		faults[fault] = append(faults[fault], id)
		if fault != unreadableClaim && fault != rewrittenWork && p.Claims.Remote() == "" {
			repair = append(repair, claim.Change{ID: id, Old: seen[id].Held.Object, Do: claim.Delete})
		}
	}
	return faults, repair, nil
}

// claimFault returns what is wrong with a claim, "" for nothing.
func (p Repository) claimFault(ctx context.Context, s claim.Seen) (string, error) {
	local := p.Claims.Remote() == ""
	switch {
	case s.Held.Bad != "" && local && p.misses(ctx, s.Held.Object):
		return emptyClaim, nil
	case s.Held.Bad != "":
		return unreadableClaim, nil
	case !local: // whether it is over, or stale, only a fresh read shows
		return p.workFault(ctx, s.Held.Claim), nil
	}
	now := p.Claims.Protocol()
	if now.Over(s) {
		return overClaim, nil
	}
	switch now.Stale(s) {
	case claim.ByProof:
		return endedClaim, nil
	case claim.ByLease:
		return expiredClaim, nil
	}
	if fault := p.workFault(ctx, s.Held.Claim); fault != "" || s.Held.Claim.State != claim.Landing {
		return fault, nil
	}
	_, err := p.Store.Resolve(ctx, s.Held.Claim.Commit)
	if errors.Is(err, git.ErrBadRevision) {
		return lostWork, nil
	}
	return "", err
}

// workFault returns why a claim in landing never lands by itself, "" where it may, or where that is not known here.
func (p Repository) workFault(ctx context.Context, c claim.Claim) string {
	switch {
	case c.State != claim.Landing:
		return ""
	case c.Branch == "" || c.Commit == "":
		return noWork
	case c.Base == "" || c.Into == "":
		return ""
	}
	tip, err := p.Store.Repo().IDAt(ctx, p.Claims.Copy(c.Into))
	if err != nil || tip == "" {
		return ""
	}
	reader := p.Store.Repo().Reader(ctx)
	defer reader.Close()
	if began, err := reader.IsAncestor(c.Base, tip); err != nil || began {
		return ""
	}
	return rewrittenWork
}

// misses reports whether git does not have an object, or it is empty.
func (p Repository) misses(ctx context.Context, id string) bool {
	reader := p.Store.Repo().Reader(ctx)
	defer reader.Close()
	_, err := reader.Ask(id)
	return errors.Is(err, git.ErrNoObject)
}

// DeleteFaultyClaims deletes the claims that keep tasks from being worked on although nobody works on them. One that has changed since it
// was read stays.
func (p Repository) DeleteFaultyClaims(ctx context.Context) error {
	_, repair, err := p.claimFaults(ctx)
	if err != nil {
		return err
	}
	_, err = p.Claims.Change(ctx, claim.Batch{Changes: repair})
	return err
}

// brokenClaims reports references of claims that git cannot read.
func (p Repository) brokenClaims() (findings []Finding) {
	for _, ref := range authority.Broken(p.Store.Repo()) {
		broken := &authority.BrokenError{Ref: ref}
		findings = append(findings, Finding{Name: claimsName, Level: Warning, Cause: broken.Error(), Repair: broken.Hint(), Remedy: RemoveBroken})
	}
	return findings
}

// RemoveBrokenClaims removes the references of claims that git cannot read.
func (p Repository) RemoveBrokenClaims() error {
	r := p.Store.Repo()
	return git.RemoveBroken(r, authority.Broken(r))
}

// leftLocks reports locks of references that a git which was killed left behind.
func (p Repository) leftLocks() (findings []Finding) {
	for _, path := range authority.LeftLocks(p.Store.Repo()) {
		findings = append(findings, Finding{
			Name: "reference lock", Level: Warning, Cause: path + " has not changed for ten minutes: a git command that was killed may have left it",
			Repair: "`git ralph doctor --fix` removes it", Remedy: RemoveLocks,
		})
	}
	return findings
}

// RemoveLeftLocks deletes the locks that a git which was killed left behind.
func (p Repository) RemoveLeftLocks() error {
	var failed error
	for _, path := range authority.LeftLocks(p.Store.Repo()) {
		failed = errors.Join(failed, os.Remove(path))
	}
	return failed
}
