package land_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/land"
)

// clones makes clones of a site with a bare remote, which holds their claims and the target.
func (s *site) clones(n int) (all []*site) {
	s.Git("clone", "-q", "--bare", s.Dir, "../hub")
	for i := range n {
		dir := fmt.Sprint("../clone", i)
		s.Git("clone", "-q", s.At("../hub").Dir, dir)
		c := *s
		c.Repo = s.At(dir)
		c.Git("config", "ralph.claims.remote", "origin")
		c.Git("config", "ralph.target", "main")
		all = append(all, &c)
	}
	return all
}

// Who finishes a task publishes the branch with the claim; any clone lands it, and the target and the claims change in one push.
func TestRemote(t *testing.T) {
	s := newSite(t, 3, map[string]string{"file": "x\n"})
	all := s.clones(2)
	worker, lander := all[0], all[1]
	worker.make(work{name: "one", files: map[string]string{"file": "1\n"}, task: 1}, work{name: "two", files: map[string]string{"file": "2\n"}, task: 2},
		work{name: "three", files: map[string]string{"3": "3\n"}, task: 3})
	worker.finish(1, "one")
	worker.finish(2, "two")
	result, got := lander.land(land.Options{All: true})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed, "two": land.Conflict})
	hub := s.At("../hub")
	if hub.Git("rev-parse", "main") != result.New || lander.Git("rev-parse", "main") != result.New || lander.Git("status", "--porcelain") != "" {
		t.Error("the target is not everywhere where it should be")
	}
	if refs := hub.Git("for-each-ref", "--format=%(refname)", "refs/ralph/claims"); refs != "refs/ralph/claims/t-002" {
		t.Errorf("claims at the remote: %s", refs)
	}
	if h := worker.claimed(2); h.Claim.State != claim.Working || h.Claim.Returns != 1 {
		t.Errorf("%+v", h)
	}
	// A branch whose task nobody has claimed: it is claimed first.
	_, got = worker.land(land.Options{Branches: []string{"three"}})
	s.outcomes(got, map[string]land.Outcome{"three": land.Landed})
	if _, got = lander.land(land.Options{All: true}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if refs := hub.Git("for-each-ref", "--format=%(refname)", "refs/ralph/claims"); refs != "refs/ralph/claims/t-002" {
		t.Errorf("claims at the remote: %s", refs)
	}
	hub.Fsck()
}

// What a landing claims for itself, it gives back where it fails: the next one lands.
func TestFailedLandingGivesBack(t *testing.T) {
	s := newSite(t, 1, nil)
	c := s.clones(1)[0]
	c.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1})
	c.Git("push", "-q", "origin", "one")
	c.WriteFile(".git/hooks/pre-push", "#!/bin/sh\nexit 1\n")
	if err := os.Chmod(c.Path(".git/hooks/pre-push"), 0o777); err != nil {
		t.Fatal(err)
	}
	st, claims := c.open()
	o := land.Options{Into: target, Branches: []string{"one"}}
	if err := o.Configure(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	if _, err := land.Run(t.Context(), st, claims, o); err == nil {
		t.Error("it landed in spite of the hook")
	}
	if refs := s.At("../hub").Git("for-each-ref", "refs/ralph/claims"); refs != "" {
		t.Errorf("claims at the remote: %s", refs)
	}
	c.Remove(".git/hooks/pre-push")
	_, got := c.land(land.Options{Branches: []string{"one"}})
	c.outcomes(got, map[string]land.Outcome{"one": land.Landed})
}

// The user's pre-push hook runs, and may refuse: then nothing lands, neither there nor here.
func TestRemotePrePush(t *testing.T) {
	s := newSite(t, 1, nil)
	c := s.clones(1)[0]
	c.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1})
	c.finish(1, "one")
	c.WriteFile(".git/hooks/pre-push", "#!/bin/sh\nread local id rest; case $rest in refs/heads/main*) exit 1;; esac; while read l i r; do case $r in refs/heads/main*) exit 1;; esac; done\n")
	if err := os.Chmod(c.Path(".git/hooks/pre-push"), 0o755); err != nil {
		t.Fatal(err)
	}
	st, claims := c.open()
	o := land.Options{Into: target, All: true}
	if err := o.Configure(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	if result, err := land.Run(t.Context(), st, claims, o); err == nil {
		t.Errorf("landed although the hook refuses: %+v", result)
	}
	if s.At("../hub").Git("rev-parse", "main") != s.base || !c.claimed(1).Exists() {
		t.Error("something was changed")
	}
}

// Clones that land at once, each its own branch, lose nothing.
func TestConcurrentClones(t *testing.T) {
	const clones = 3
	s := newSite(t, clones, nil)
	var group sync.WaitGroup
	for i, c := range s.clones(clones) {
		name := fmt.Sprint("b", i)
		c.make(work{name: name, files: map[string]string{name: "x\n"}, task: i + 1})
		st, claims := c.open()
		group.Go(func() {
			o := land.Options{Into: target, Branches: []string{name}}
			if err := o.Configure(t.Context(), st); err != nil {
				t.Error(err)
			}
			o.Wait = time.Minute
			if got, err := land.Run(t.Context(), st, claims, o); err != nil || got.Landed() != 1 {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	group.Wait()
	hub := s.At("../hub")
	if n := strings.Count(hub.Git("show", "main:ralph/plan.jsonl"), `"s": "d"`); n != clones {
		t.Errorf("%d tasks are done, want %d", n, clones)
	}
	if refs := hub.Git("for-each-ref", "refs/ralph/claims"); refs != "" {
		t.Errorf("claims are left: %s", refs)
	}
}

// A remote that cannot change several references at once is refused, and nothing changes.
func TestRemoteWithoutAtomicPush(t *testing.T) {
	s := newSite(t, 1, nil)
	c := s.clones(1)[0]
	c.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1})
	c.finish(1, "one")
	hub := s.At("../hub")
	hub.Git("config", "receive.advertiseAtomic", "false")
	st, claims := c.open()
	o := land.Options{Into: target, All: true}
	if err := o.Configure(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	if result, err := land.Run(t.Context(), st, claims, o); !errors.Is(err, authority.ErrAtomic) {
		t.Errorf("%+v, %v", result, err)
	}
	if hub.Git("rev-parse", "main") != s.base || !c.claimed(1).Exists() {
		t.Error("something was changed")
	}
}

// What the check refuses is rejected at the remote, and its claim ends there.
func TestRemoteRejection(t *testing.T) {
	s := newSite(t, 2, nil)
	c := s.clones(1)[0]
	c.make(work{name: "one", files: map[string]string{"bad": "1\n"}, task: 1}, work{name: "two", files: map[string]string{"2": "2\n"}, task: 2})
	c.finish(1, "one")
	c.finish(2, "two")
	_, got := c.land(land.Options{All: true, Check: "test ! -e bad"})
	s.outcomes(got, map[string]land.Outcome{"one": land.Failed, "two": land.Landed})
	hub := s.At("../hub")
	if refs := hub.Git("for-each-ref", "refs/ralph/claims"); refs != "" || !strings.Contains(hub.Git("show", "main:ralph/plan.jsonl"), `"t": "reject", "id": "t-001"`) {
		t.Errorf("claims at the remote: %s", refs)
	}
}

// A claim that somebody takes between the check and the push, here while the pre-push hook runs: the push is refused as a whole, and
// the branch is taken out; the others land.
func TestRemoteSteal(t *testing.T) {
	s := newSite(t, 2, nil)
	c := s.clones(1)[0]
	c.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1}, work{name: "two", files: map[string]string{"2": "2\n"}, task: 2})
	held := c.finish(1, "one")
	c.finish(2, "two")
	other := held.Claim
	other.Token, other.State, other.Worker, other.Branch, other.Commit = "stolen01", claim.Working, "thief", "", ""
	hub := s.At("../hub")
	blob := hub.GitIn(other.Text(), "hash-object", "-w", "--stdin")
	c.WriteFile(".git/hooks/pre-push", "#!/bin/sh\ngrep -q refs/heads/main && exec git --git-dir="+hub.Dir+" update-ref refs/ralph/claims/"+id(1)+" "+blob+"\nexit 0\n")
	if err := os.Chmod(c.Path(".git/hooks/pre-push"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, got := c.land(land.Options{All: true})
	s.outcomes(got, map[string]land.Outcome{"one": land.Claimed, "two": land.Landed})
	if h := c.claimed(1); h.Claim.Token != other.Token {
		t.Errorf("%+v", h)
	}
	if plan := hub.Git("show", "main:ralph/plan.jsonl"); strings.Count(plan, `"s": "d"`) != 1 || hub.Git("ls-tree", "--name-only", "main", "1") != "" {
		t.Errorf("the target has the work of a stolen claim:\n%s", plan)
	}
	if c.Git("rev-parse", "one") != held.Claim.Commit {
		t.Error("the branch is gone")
	}
}

// What is pushed with a claim is a branch other than the target: the target of the remote moves only to what was checked, and no claim
// names what others cannot read.
func TestRemoteCarriesBranchesOnly(t *testing.T) {
	s := newSite(t, 1, nil)
	c := s.clones(1)[0]
	c.make(work{name: "one", files: map[string]string{"bad": "1\n"}, task: 1})
	c.Git("push", "-q", "origin", "one")
	c.Git("tag", "v1", "one")
	c.Git("reset", "-q", "--hard", "one")
	hub := s.At("../hub")
	before := hub.Git("for-each-ref")
	for _, name := range []string{"main", "refs/heads/main", "refs/remotes/origin/one", "refs/tags/v1", "HEAD"} {
		st, claims := c.open()
		o := land.Options{Into: target, Branches: []string{name}, Check: "test ! -e bad"}
		if err := o.Configure(t.Context(), st); err != nil {
			t.Fatal(err)
		}
		if _, err := land.Run(t.Context(), st, claims, o); !errors.Is(err, land.ErrNoBranch) {
			t.Errorf("%s: %v", name, err)
		}
		if now := hub.Git("for-each-ref"); now != before {
			t.Fatalf("%s: the remote has changed:\n%s", name, now)
		}
	}
}
