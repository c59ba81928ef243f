package authority_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
)

// What changes a claim of ours over a remote is one push, which also brings the copy up to date; nothing is fetched before or after.
func TestOwnClaimsChangeByOnePush(t *testing.T) {
	p := remotePlace(t)
	r, counter := p.repos[0].CountProcesses()
	c := claims(t, r)
	token := take(t, c, authority.Holder{Worker: "w", Lease: time.Hour}, authority.TakeOptions{}, "t-1").Held.Claim.Token
	next := r.Git("commit-tree", "-p", p.head, "-m", "next", p.head+"^{tree}")
	steps := map[claim.State]func() error{
		claim.Working: func() error { _, err := c.Renew(t.Context(), authority.Own{"t-1": token}); return err },
		claim.Landing: func() error {
			_, err := c.Finish(t.Context(), "t-1", token, claim.Work{Base: p.head, Branch: "refs/heads/work", Commit: next})
			return err
		},
		"": func() error { _, err := c.Release(t.Context(), authority.Own{"t-1": token}); return err },
	}
	for _, state := range []claim.State{claim.Working, claim.Landing, ""} {
		counter.Started()
		err := steps[state]()
		started := counter.Started()
		held, copied := c.Copies(t.Context())
		if err != nil || copied != nil || held["t-1"].Claim.State != state {
			t.Errorf("%s: %v, %v, copy %+v", state, err, copied, held["t-1"])
		}
		if len(started) != 1 || !strings.Contains(started[0], " push ") {
			t.Errorf("%s: started %q", state, started)
		}
	}
}

// Where the remote is away nothing was pushed: that is what the error says, and no later command has anything to settle.
func TestRemoteIsAway(t *testing.T) {
	p := remotePlace(t)
	r := p.repos[0]
	c := claims(t, r)
	token := take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1").Held.Claim.Token
	r.Git("remote", "set-url", "team/hub", r.Path("../nowhere"))
	_, released := c.Release(t.Context(), authority.Own{"t-1": token})
	_, taken := c.Take(t.Context(), pending("t-2"), authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-2")
	for _, err := range []error{released, taken} {
		if !errors.Is(err, authority.ErrRemote) {
			t.Errorf("got %v", err)
		}
	}
	if r.Exists(".git/ralph/claims/ended.json") {
		t.Error("there is something to settle")
	}
}
