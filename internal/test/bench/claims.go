package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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

// measureClaims: the compare-and-swap of one claim, beside git's own update or push of one reference.
func measureClaims(ctx context.Context, l *lab) ([]row, error) {
	s, err := l.claimSite(ctx)
	if err != nil {
		return nil, err
	}
	local, err := l.compare(ctx, "claim, here : git update-ref", slowClaim, l.runs, contender{call: s.claims(ctx, authority.NewLocal(s.repo))}, contender{
		call: func() error {
			return s.git(ctx, "update-ref", s.next("refs/bench/here/"), s.blob, strings.Repeat("0", len(s.blob)))
		},
	})
	if err != nil {
		return nil, err
	}
	hub, err := authority.NewRemote(ctx, s.repo, "hub")
	if err != nil {
		return nil, err
	}
	remote, err := l.compare(ctx, "claim, by a remote : git push of a reference", slowClaim, l.runs, contender{call: s.claims(ctx, hub)}, contender{
		call: func() error { return s.git(ctx, "push", "-q", "hub", s.blob+":"+s.next("refs/bench/there/")) },
	})
	return []row{local, remote}, err
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

// claims returns a function that claims another task each time.
func (s *claimSite) claims(ctx context.Context, where authority.Authority) func() error {
	return func() error {
		mine := claim.Claim{ID: s.next("t-"), Token: authority.NewToken(), State: claim.Working, Worker: "bench", Lease: 900}
		outcomes, err := where.Swap(ctx, claim.Batch{Changes: []claim.Change{{ID: mine.ID, Do: claim.Put, New: mine, Fresh: true}}})
		if err == nil && outcomes[0] != claim.Done {
			err = fmt.Errorf("claim of %s: %s", mine.ID, outcomes[0])
		}
		return err
	}
}
