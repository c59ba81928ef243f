package authority_test

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/proc"
	"git-ralph/internal/test/gittest"
)

// dropConnection has the remote end the connection without a word after the next push that it accepts.
func dropConnection(t *testing.T, bare *gittest.Repo) {
	t.Helper()
	hook := bare.Path("hooks/post-receive")
	bare.WriteFile("hooks/post-receive", "#!/bin/sh\nrm '"+hook+"'\nkill -9 $PPID\n")
	if err := os.Chmod(hook, 0o777); err != nil {
		t.Fatal(err)
	}
}

// A connection that ends after the remote has accepted a push is no failure, whatever was pushed: a claim, a renewal, a finished
// branch, the landing of it, a release.
func TestConnectionLost(t *testing.T) {
	p := remotePlace(t)
	r := p.repos[0]
	c := claims(t, r)
	lost := func(what string, call func() bool) {
		t.Helper()
		dropConnection(t, p.bare)
		if ok := call(); !ok || p.bare.Exists("hooks/post-receive") {
			t.Errorf("%s failed", what)
		}
	}
	own := authority.Own{}
	lost("claim", func() bool {
		got := take(t, c, authority.Holder{Worker: "w", Lease: time.Hour}, authority.TakeOptions{}, "t-1")
		own["t-1"] = got.Held.Claim.Token
		return got.Refusal == ""
	})
	lost("renewal", func() bool { gone, err := c.Renew(t.Context(), own); return err == nil && len(gone) == 0 })
	next := r.Git("commit-tree", "-p", p.head, "-m", "next", p.head+"^{tree}")
	work := claim.Work{Base: p.head, Branch: "refs/heads/work", Commit: next}
	lost("finish", func() bool {
		held, err := c.Finish(t.Context(), "t-1", own["t-1"], work)
		return err == nil && held.Claim.State == claim.Landing
	})
	lost("landing", func() bool {
		lands(t, place{"remote", p.bare, []*gittest.Repo{r, r}, p.head}, c, work)
		return true
	})
	got := take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-2")
	lost("release", func() bool {
		gone, err := c.Release(t.Context(), authority.Own{"t-2": got.Held.Claim.Token})
		return err == nil && len(gone) == 0
	})
	if left := p.bare.Git("for-each-ref", "refs/ralph"); left != "" {
		t.Errorf("left: %s", left)
	}
}

// Git packs the references all the time, and that is never taken for a lost claim.
func TestPackedMeanwhile(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		done := make(chan struct{})
		var packer sync.WaitGroup
		packer.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(5 * time.Millisecond):
					p.at().TryGit("pack-refs", "--all", "--prune") //nolint:errcheck // it fails where a claim is being made
				}
			}
		})
		c := claims(t, p.repos[0])
		for range 4 {
			got := take(t, c, authority.Holder{Worker: "w", Lease: time.Hour}, authority.TakeOptions{}, "t-1")
			if got.Refusal != "" {
				t.Fatalf("refused: %+v", got)
			}
			own := authority.Own{"t-1": got.Held.Claim.Token}
			if lost, err := c.Renew(t.Context(), own); err != nil || len(lost) > 0 {
				t.Fatalf("renew: %v, %v", lost, err)
			}
			if lost, err := c.Release(t.Context(), own); err != nil || len(lost) > 0 {
				t.Fatalf("release: %v, %v", lost, err)
			}
		}
		close(done)
		packer.Wait()
		p.at().Fsck()
	})
}

// A git gc that deletes all that nothing refers to, between the writing of a claim and the change of its reference, costs an attempt
// and nothing else.
func TestCollectedMeanwhile(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		r := p.repos[0]
		real, err := proc.LookPath("git", r.Env)
		if err != nil {
			t.Fatal(err)
		}
		once, bin := r.Path("../collect"), r.Path("../collecting")
		r.WriteFile("../collect", "")
		r.WriteFile("../collecting/git", "#!/bin/sh\ncase \" $* \" in *' push '* | *' update-ref '*)\n"+
			"if rm '"+once+"' 2>/dev/null; then '"+real+"' prune --expire=now; fi ;;\nesac\nexec '"+real+"' \"$@\"\n")
		if err := os.Chmod(bin+"/git", 0o777); err != nil {
			t.Fatal(err)
		}
		c := claims(t, r.Setenv("PATH", bin+":"+r.Getenv("PATH")))
		if got := take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1"); got.Refusal != "" || r.Exists("../collect") {
			t.Errorf("got %+v", got)
		}
	})
}

// Where this repository cannot be written to, the error says so, and does not blame the remote, which is there. So it is with a branch
// that the remote lacks.
func TestLocalFailures(t *testing.T) {
	p := remotePlace(t)
	r := p.repos[0]
	real, err := proc.LookPath("git", r.Env)
	if err != nil {
		t.Fatal(err)
	}
	p.repos[1].Commit("more", map[string]string{"b": "1\n"})
	p.repos[1].Git("push", "-q", "team/hub", "HEAD:refs/heads/more")
	r.WriteFile("../full/git", "#!/bin/sh\nulimit -f 0; trap '' XFSZ; exec '"+real+"' \"$@\"\n")
	if err := os.Chmod(r.Path("../full/git"), 0o777); err != nil {
		t.Fatal(err)
	}
	c := claims(t, r.Setenv("PATH", r.Path("../full")+":"+r.Getenv("PATH")))
	if _, err := c.Fetched(t.Context(), "refs/heads/more"); !errors.Is(err, authority.ErrLocal) || errors.Is(err, authority.ErrRemote) {
		t.Errorf("with a full disk: %v", err)
	}
	_, err = claims(t, r).Fetched(t.Context(), "refs/heads/none")
	if !errors.Is(err, authority.ErrNoBranch) || errors.Is(err, authority.ErrRemote) || !strings.HasSuffix(err.Error(), "team/hub has no branch none") {
		t.Errorf("without the branch: %v", err)
	}
	if _, err := claims(t, r).Fetched(t.Context(), "refs/heads/more"); err != nil {
		t.Error(err)
	}
}
