package authority_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/test/gittest"
)

// stealInPrePush has the user's pre-push hook, which git runs between its look at the remote and the push, change the claim of t-1
// once. It returns what the claim then is.
func stealInPrePush(t *testing.T, p place, r *gittest.Repo) string {
	t.Helper()
	stolen := claim.Claim{ID: "t-1", Token: authority.NewToken(), State: claim.Working, Worker: "thief", Steals: 1}
	object := p.bare.GitIn(stolen.Text(), "hash-object", "-w", "--stdin")
	hook := r.Path(".git/hooks/pre-push")
	r.WriteFile(".git/hooks/pre-push", "#!/bin/sh\nrm '"+hook+"'\nunset GIT_DIR\nexec git -C '"+p.bare.Dir+"' update-ref refs/ralph/claims/t-1 "+object+"\n")
	if err := os.Chmod(hook, 0o777); err != nil {
		t.Fatal(err)
	}
	return object
}

// A claim that is stolen after git has compared it, and before the push arrives, is lost: neither the branch is published under it,
// nor does the target move.
func TestStolenInPrePush(t *testing.T) {
	p := remotePlace(t)
	r := p.repos[0]
	c := claims(t, r)
	got := take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
	next := r.Git("commit-tree", "-p", p.head, "-m", "next", p.head+"^{tree}")
	work := claim.Work{Base: p.head, Branch: "refs/heads/work", Commit: next}
	stolen := stealInPrePush(t, p, r)
	_, err := c.Finish(t.Context(), "t-1", got.Held.Claim.Token, work)
	var refused *authority.RefusedError
	if !errors.As(err, &refused) || refused.Held.Object != stolen {
		t.Errorf("finish: %v", err)
	}
	if left := p.bare.Git("for-each-ref", "refs/heads/work"); left != "" || r.Exists(".git/hooks/pre-push") {
		t.Errorf("published: %s", left)
	}

	p.bare.Git("update-ref", "-d", "refs/ralph/claims/t-1")
	got = take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
	held, err := c.Finish(t.Context(), "t-1", got.Held.Claim.Token, work)
	if err != nil {
		t.Fatal(err)
	}
	stolen = stealInPrePush(t, p, r)
	batch := claim.Batch{
		Changes: []claim.Change{{ID: "t-1", Old: held.Object, Do: claim.Delete}},
		Moves:   []claim.Move{{Ref: "refs/heads/target", Old: p.head, New: next}},
	}
	outcomes, err := c.Change(t.Context(), batch)
	if err != nil || outcomes[0] != claim.Lost || p.bare.Git("rev-parse", "target") != p.head {
		t.Errorf("land: %v, %v", outcomes, err)
	}
	if now := p.bare.Git("rev-parse", "refs/ralph/claims/t-1"); now != stolen {
		t.Errorf("the thief's claim is %s", now)
	}
}

// A pre-push hook that fails is no success, also where the remote has the branch since before: the claim is as it was.
func TestFailingPrePush(t *testing.T) {
	p := remotePlace(t)
	r := p.repos[0]
	c := claims(t, r)
	got := take(t, c, authority.Holder{Worker: "w", Lease: time.Second}, authority.TakeOptions{}, "t-1")
	next := r.Git("commit-tree", "-p", p.head, "-m", "next", p.head+"^{tree}")
	r.Git("push", "-q", p.bare.Dir, next+":refs/heads/work")
	r.WriteFile(".git/hooks/pre-push", "#!/bin/sh\necho seven of them\necho the tests fail >&2\nexit 1\n")
	if err := os.Chmod(r.Path(".git/hooks/pre-push"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := c.Finish(t.Context(), "t-1", got.Held.Claim.Token, claim.Work{Base: p.head, Branch: "refs/heads/work", Commit: next})
	if err == nil || !errors.Is(err, authority.ErrUnknown) {
		t.Fatalf("finish: %v", err)
	}
	for _, want := range []string{"nothing was pushed: the pre-push hook failed: seven of them: ", "git push: the tests fail"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
}

// A remote that refuses to change a branch takes claims all the same.
func TestProtectedBranch(t *testing.T) {
	p := remotePlace(t)
	r := p.repos[0]
	c := claims(t, r)
	got := take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
	p.bare.WriteFile("hooks/update", "#!/bin/sh\ntest $1 != refs/heads/target\n")
	if err := os.Chmod(p.bare.Path("hooks/update"), 0o777); err != nil {
		t.Fatal(err)
	}
	next := r.Git("commit-tree", "-p", p.head, "-m", "next", p.head+"^{tree}")
	_, err := c.Change(t.Context(), claim.Batch{
		Changes: []claim.Change{{ID: "t-1", Old: got.Held.Object, Do: claim.Delete}},
		Moves:   []claim.Move{{Ref: "refs/heads/target", Old: p.head, New: next}},
	})
	if err == nil || errors.Is(err, authority.ErrDeclined) || c.IsDeclined() || !strings.Contains(err.Error(), "refuses a change of refs/heads/target") {
		t.Errorf("land: %v", err)
	}
}

// A remote that takes claims and does not show them is of no use: nobody works, and the error says why.
func TestHiddenReferences(t *testing.T) {
	p := remotePlace(t)
	p.bare.Git("config", "uploadpack.hideRefs", "refs/ralph")
	for range 2 {
		got, err := claims(t, p.repos[0]).Take(t.Context(), pending("t-1"), authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
		if !errors.Is(err, authority.ErrDeclined) || !strings.Contains(err.Error(), "hides") {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}
