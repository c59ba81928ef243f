package authority_test

import (
	"context"
	"strings"
	"testing"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
)

// Claims and target come by one fetch, once the copy of the target has a reflog, which goes on: it shows what the target has no more.
func TestOneFetchReadsAll(t *testing.T) {
	p := remotePlace(t)
	r, counter := p.repos[0].CountProcesses()
	c := claims(t, r)
	target := pending("t-1")
	target.Branch = "refs/heads/target"
	take(t, claims(t, p.repos[1]), authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
	for i, want := range []int{2, 1} {
		p.bare.Git("update-ref", target.Branch, p.bare.Git("commit-tree", "-p", "target", "-m", "next", p.head+"^{tree}"))
		counter.Started()
		seen, err := c.See(t.Context(), target)
		if started := counter.Started(); err != nil || len(started) != want || seen["t-1"].Held.Claim.Worker != "w" {
			t.Errorf("look %d: %v, %v: %q", i, seen, err, started)
		}
		if n := len(strings.Fields(r.Git("reflog", "show", "--format=%H", c.Copy(target.Branch)))); n != i+1 {
			t.Errorf("look %d: %d entries in the reflog", i, n)
		}
	}
	if r.Exists(".git/logs/refs/ralph/remote/team/hub/claims") {
		t.Error("claims have reflogs")
	}
}

// The target that comes with claims may be older than they are: before one counts as over, the target is read again. Here the task
// was done, and is rejected and claimed anew while the remote reads its references.
func TestOverIsReadAgain(t *testing.T) {
	p := remotePlace(t)
	c := claims(t, p.repos[0])
	take(t, claims(t, p.repos[1]), authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
	reads := 0
	target := &authority.Target{Branch: "refs/heads/target", At: func(context.Context, string) (claim.Target, error) {
		reads++
		return claim.Target{"t-1": {Pending: reads != 2}}, nil
	}}
	for range 2 {
		seen, err := c.See(t.Context(), target)
		if err != nil || c.Protocol().Over(seen["t-1"]) {
			t.Errorf("after %d reads: %+v, %v", reads, seen, err)
		}
	}
	if reads != 3 {
		t.Errorf("the target was read %d times", reads)
	}
}
