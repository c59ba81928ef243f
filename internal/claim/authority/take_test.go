package authority_test

import (
	"context"
	"strings"
	"testing"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
)

// A task that the copies show as free is claimed by one push and one fetch, by which the winner reads claim and target. Where the copy
// of the target is of an earlier round, the task is claimed in the round of now.
func TestTakeByCopies(t *testing.T) {
	p := remotePlace(t)
	r, counter := p.repos[0].CountProcesses()
	c := claims(t, r)
	round := ""
	target := &authority.Target{Branch: "refs/heads/target", At: func(_ context.Context, ref string) (claim.Target, error) {
		if r.Git("rev-parse", ref) == p.head {
			return claim.Target{"t-1": {Pending: true}, "t-2": {Pending: true}, "t-3": {Pending: true}}, nil
		}
		return claim.Target{"t-1": {Pending: true}, "t-2": {Pending: true, After: round}}, nil
	}}
	if _, err := c.Show(t.Context(), target); err != nil {
		t.Fatal(err)
	}
	take := func(id string) (authority.Taking, string) {
		counter.Started()
		got, err := c.Take(t.Context(), target, authority.Holder{Worker: "w"}, authority.TakeOptions{}, id)
		if err != nil {
			t.Fatal(err)
		}
		var remote []string
		for _, line := range counter.Started() {
			for _, command := range []string{"push", "fetch", "ls-remote"} {
				if strings.Contains(line, " "+command+" ") {
					remote = append(remote, command)
				}
			}
		}
		return got[0], strings.Join(remote, " ")
	}
	if got, started := take("t-1"); got.Refusal != "" || started != "push fetch" {
		t.Errorf("%+v: %s", got, started)
	}
	round = "aaaa"
	p.bare.Git("update-ref", target.Branch, p.bare.Git("commit-tree", "-p", "target", "-m", "next", p.head+"^{tree}"))
	if got, _ := take("t-2"); got.Refusal != "" || got.Held.Claim.After != round {
		t.Errorf("another round: %+v", got)
	}
	if got, _ := take("t-3"); got.Refusal != claim.NotPending {
		t.Errorf("not pending: %+v", got)
	}
}
