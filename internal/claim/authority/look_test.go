package authority_test

import (
	"maps"
	"strings"
	"testing"

	"git-ralph/internal/claim/authority"
)

// Who reads one claim fetches that one, and leaves the copies of others as they were.
func TestOneClaimIsFetched(t *testing.T) {
	p := remotePlace(t)
	c, other := claims(t, p.repos[0]), claims(t, p.repos[1])
	for _, id := range []string{"t-1", "t-12", "t-2"} {
		take(t, other, authority.Holder{Worker: "w"}, authority.TakeOptions{}, id)
	}
	seen, err := c.See(t.Context(), nil, "t-1", "t-none")
	if err != nil || len(seen) != 2 || seen["t-1"].Held.Claim.Worker != "w" || seen["t-none"].Held.Exists() {
		t.Errorf("%+v, %v", seen, err)
	}
	if copies, err := c.Copies(t.Context()); err != nil || copies["t-2"].Exists() {
		t.Errorf("another claim was fetched: %+v, %v", copies, err)
	}
	if _, err := other.Release(t.Context(), authority.Own{"t-1": seen["t-1"].Held.Claim.Token}); err != nil {
		t.Fatal(err)
	}
	if seen, err = c.See(t.Context(), nil, "t-1"); err != nil || seen["t-1"].Held.Exists() {
		t.Errorf("the claim is gone, and stays here: %+v, %v", seen, err)
	}
	if all, err := c.See(t.Context(), nil); err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

// A look says the same whether by `git ls-remote` or, where the remote is a directory of this machine, its files are read. That takes no process
// but one to find the repository.
func TestLook(t *testing.T) {
	p := remotePlace(t)
	target := "refs/heads/target"
	other := claims(t, p.repos[1])
	got := take(t, other, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
	free, err := other.Turn(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	r, counter := p.repos[0].CountProcesses()
	url := r.Git("config", "remote.team/hub.url")
	for _, row := range []struct{ name, url, command string }{{"path", url, "git rev-parse"}, {"url", "file://" + url, "git ls-remote"}} {
		r.Git("config", "remote.team/hub.url", row.url)
		for _, taken := range []bool{false, true} {
			if taken {
				if won, err := other.TakeTurn(t.Context(), target, free); err != nil || !won {
					t.Fatal(won, err)
				}
			}
			p.bare.Git("pack-refs", "--all")
			c := claims(t, r)
			for look := range 2 {
				counter.Started()
				turn, err := c.Turn(t.Context(), target, "t-1", "t-none")
				want := map[string]string{"t-1": got.Held.Object, "t-none": ""}
				if err != nil || turn.Tip != p.bare.Git("rev-parse", target) || turn.IsTaken() != taken || !maps.Equal(turn.Claims, want) || !taken && turn.Others != 1 {
					t.Errorf("%s: %+v, %v; want the turn taken: %t, and %v", row.name, turn, err, taken, want)
				}
				for _, line := range counter.Started() {
					if !strings.HasPrefix(line, row.command) || row.name == "path" && look > 0 {
						t.Errorf("%s, look %d: started %q", row.name, look, line)
					}
				}
			}
		}
		if err := other.EndTurn(t.Context(), target, free.Tip); err != nil {
			t.Fatal(err)
		}
	}
}
