package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/proc"
)

// slowClaim is how many times as long as git's own change of a reference a claim may take.
const slowClaim = 1.3

// claimSite is a repository with a bare remote beside it.
type claimSite struct {
	dir  string
	env  []string
	repo *git.Repo
	blob string // something for git to point references to
	n    int
}

// measureClaims: a claim beside git's own update or push of one reference. A worker also reads claims and target again after it
// has won; here that needs no process, and by a remote it is a fetch.
func measureClaims(ctx context.Context, l *lab) ([]row, error) {
	s, err := l.claimSite(ctx)
	if err != nil {
		return nil, err
	}
	here, err := authority.Open(ctx, s.repo)
	if err != nil {
		return nil, err
	}
	if err := s.git(ctx, "config", "ralph.claims.remote", "hub"); err != nil {
		return nil, err
	}
	again, err := git.Open(ctx, s.dir, s.env)
	if err != nil {
		return nil, err
	}
	there, err := authority.Open(ctx, again)
	if err != nil {
		return nil, err
	}
	push := func() error { return s.git(ctx, "push", "-q", "hub", s.blob+":"+s.next("refs/bench/there/")) }
	fetch := func() error {
		return s.git(ctx, "fetch", "-q", "--prune", "hub", "+refs/bench/there/*:refs/bench/copies/*")
	}
	var rows []row
	for _, it := range []struct {
		what        string
		ours, rival func() error
	}{
		{"claim, here : git update-ref", s.takes(ctx, here), func() error {
			return s.git(ctx, "update-ref", s.next("refs/bench/here/"), s.blob, strings.Repeat("0", len(s.blob)))
		}},
		{"claim's push : git push of a reference", s.swaps(ctx, there.Authority()), push},
		{"claim, by a remote : git push, git fetch", s.takes(ctx, there), func() error { return errors.Join(push(), fetch()) }},
	} {
		r, err := l.compare(ctx, it.what, slowClaim, l.runs, contender{call: it.ours}, contender{call: it.rival})
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	queries, err := l.measureClaimedQuery(ctx)
	return append(rows, queries...), err
}

// claimSite makes the repository and its remote.
func (l *lab) claimSite(ctx context.Context) (*claimSite, error) {
	top, err := os.MkdirTemp(l.dir, "claims")
	if err != nil {
		return nil, err
	}
	s := &claimSite{dir: filepath.Join(top, "clone"), env: l.env}
	for _, args := range [][]string{{"init", "-q", "--bare", filepath.Join(top, "hub")}, {"init", "-q", s.dir}} {
		if _, err := proc.Run(ctx, proc.Cmd{Name: "git", Args: args, Dir: top, Env: l.env}); err != nil {
			return nil, err
		}
	}
	if err := s.git(ctx, "remote", "add", "hub", filepath.Join(top, "hub")); err != nil {
		return nil, err
	}
	result, err := proc.Run(ctx, proc.Cmd{Name: "git", Args: []string{"hash-object", "-w", "--stdin"}, Dir: s.dir, Env: s.env, Stdin: []byte("bench\n")})
	if err != nil {
		return nil, err
	}
	s.blob = strings.TrimSpace(string(result.Stdout))
	s.repo, err = git.Open(ctx, s.dir, s.env)
	return s, err
}

func (s *claimSite) git(ctx context.Context, args ...string) error {
	_, err := proc.Run(ctx, proc.Cmd{Name: "git", Args: args, Dir: s.dir, Env: s.env})
	return err
}

// next returns a name that no reference has.
func (s *claimSite) next(prefix string) string {
	s.n++
	return fmt.Sprint(prefix, s.n)
}

// takes returns a function that claims another task each time, as a worker does.
func (s *claimSite) takes(ctx context.Context, claims *authority.Claims) func() error {
	return func() error {
		id := s.next("t-")
		target := &authority.Target{At: func(context.Context, string) (claim.Target, error) { return claim.Target{id: {Pending: true}}, nil }}
		got, err := claims.Take(ctx, target, authority.Holder{Worker: "bench", Lease: time.Hour}, authority.TakeOptions{}, id)
		if err == nil && got[0].Refusal != "" {
			err = fmt.Errorf("claim of %s: %s", id, got[0].Refusal)
		}
		return err
	}
}

// swaps returns a function that writes the claim of another task each time.
func (s *claimSite) swaps(ctx context.Context, where authority.Authority) func() error {
	return func() error {
		mine := claim.Claim{ID: s.next("t-"), Token: authority.NewToken(), State: claim.Working, Worker: "bench", Lease: 900}
		outcomes, err := where.Swap(ctx, claim.Batch{Changes: []claim.Change{{ID: mine.ID, Do: claim.Put, New: mine, Fresh: true}}})
		if err == nil && outcomes[0] != claim.Done {
			err = fmt.Errorf("claim of %s: %s", mine.ID, outcomes[0])
		}
		return err
	}
}
