package authority_test

import (
	"context"
	"errors"
	"fmt"
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

// place is an authority with the repositories that share it, of which each has a branch main with the same commit.
type place struct {
	name  string
	bare  *gittest.Repo // nil for a local authority
	repos []*gittest.Repo
	head  string
}

// places are the two kinds of authority, in both formats of ids.
func places(t *testing.T, check func(t *testing.T, p place)) {
	for _, format := range []string{"sha1", "sha256"} {
		for name, make := range map[string]func(testing.TB, ...string) place{"local": localPlace, "remote": remotePlace} {
			t.Run(name+" "+format, func(t *testing.T) {
				t.Parallel()
				check(t, make(t, "--object-format="+format))
			})
		}
	}
}

func localPlace(t testing.TB, args ...string) place {
	r := gittest.NewRepo(t, args...)
	head := r.Commit("first", map[string]string{"a": "1\n"})
	r.Git("branch", "target")
	r.Git("worktree", "add", "-q", "--detach", "../linked")
	return place{"local", nil, []*gittest.Repo{r, r.At("../linked")}, head}
}

func remotePlace(t testing.TB, args ...string) place {
	r := gittest.NewRepo(t, args...)
	head := r.Commit("first", map[string]string{"a": "1\n"})
	r.Git("branch", "target")
	r.Git("clone", "-q", "--bare", r.Dir, "../bare")
	bare := r.At("../bare")
	p := place{"remote", bare, nil, head}
	for _, name := range []string{"../one", "../two"} {
		r.Git("clone", "-q", "-o", "team/hub", bare.Dir, name)
		clone := r.At(name)
		clone.Git("config", "ralph.claims.remote", "team/hub")
		p.repos = append(p.repos, clone)
	}
	return p
}

// at returns the repository that has the authority's references.
func (p place) at() *gittest.Repo {
	if p.bare != nil {
		return p.bare
	}
	return p.repos[0]
}

// Of many who take one task at once, one wins, and the others see who has it.
func TestOneWinner(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		var group sync.WaitGroup
		var lock sync.Mutex
		winners, seen := map[string]bool{}, map[string]bool{}
		for i := range 6 {
			c := claims(t, p.repos[i%2])
			group.Go(func() {
				got, err := c.Take(t.Context(), pending("t-1"), authority.Holder{Worker: fmt.Sprint("w", i)}, authority.TakeOptions{}, "t-1")
				if err != nil {
					t.Error(err)
					return
				}
				lock.Lock()
				defer lock.Unlock()
				seen[got[0].Held.Claim.Worker] = true
				if got[0].Refusal == "" {
					winners[got[0].Held.Claim.Worker] = true
				}
			})
		}
		group.Wait()
		if len(winners) != 1 || len(seen) != 1 {
			t.Errorf("winners %v, holders seen %v", winners, seen)
		}
	})
}

// The whole life of a claim, seen by two: taken, renewed, finished, returned, finished, landed; and what each needs. Between the
// steps git packs references and collects garbage.
func TestLife(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		worker, integrator := claims(t, p.repos[0]), claims(t, p.repos[1])
		got := take(t, worker, authority.Holder{Worker: "w", Lease: time.Minute, Lock: true}, authority.TakeOptions{}, "t-1")
		own := authority.Own{"t-1": got.Held.Claim.Token}
		p.at().Git("pack-refs", "--all", "--prune")
		if lost, err := worker.Renew(t.Context(), own); err != nil || len(lost) > 0 {
			t.Fatalf("renew: %v, %v", lost, err)
		}
		p.at().Git("gc", "-q", "--prune=now")
		p.repos[0].Git("gc", "-q", "--prune=now")
		p.repos[0].Git("branch", "work", p.head)
		next := p.repos[0].Git("commit-tree", "-p", p.head, "-m", "next", p.head+"^{tree}")
		p.repos[0].Git("update-ref", "refs/heads/work", next)
		work := claim.Work{Base: p.head, Branch: "refs/heads/work", Commit: next}
		if _, err := worker.Finish(t.Context(), "t-1", own["t-1"], work); err != nil {
			t.Fatal(err)
		}
		if got := p.at().Git("rev-parse", "work"); got != next {
			t.Errorf("the authority's branch is at %s", got)
		}
		seen, err := integrator.See(t.Context(), nil, "t-1")
		if err != nil {
			t.Fatal(err)
		}
		if lost, err := integrator.Return(t.Context(), authority.Returned{Held: seen["t-1"].Held, Feedback: "conflict in a"}); err != nil || len(lost) > 0 {
			t.Fatalf("return: %v, %v", lost, err)
		}
		seen, err = integrator.See(t.Context(), nil, "t-1")
		if back := seen["t-1"].Held; err != nil || back.Claim.State != claim.Working || back.Claim.Returns != 1 || back.Claim.Lease != 60 {
			t.Fatalf("return: %+v, %v", back, err)
		}
		p.at().Git("pack-refs", "--all", "--prune")
		if _, err := worker.Finish(t.Context(), "t-1", own["t-1"], work); err != nil {
			t.Fatal(err)
		}
		if outcomes, err := integrator.Change(t.Context(), lands(t, p, integrator, work)); err != nil || outcomes[0] != claim.Lost {
			t.Errorf("landed twice: %v, %v", outcomes, err)
		}
		if lost, err := worker.Release(t.Context(), own); err != nil || len(lost) != 1 {
			t.Errorf("released a claim that is gone: %v, %v", lost, err)
		}
		p.at().Fsck()
	})
}

// lands lands the work on task t-1.
func lands(t *testing.T, p place, c *authority.Claims, work claim.Work) claim.Batch {
	t.Helper()
	seen, err := c.See(t.Context(), pending("t-1"), "t-1")
	if err != nil {
		t.Fatal(err)
	}
	merge := claim.Merge{Work: work, Tasks: []claim.Seen{seen["t-1"]}}
	if refused := c.Protocol().Check(merge); len(refused) > 0 {
		t.Fatalf("check: %v", refused)
	}
	if p.bare != nil {
		p.repos[1].Git("fetch", "-q", "team/hub")
	}
	batch := c.Protocol().Land(claim.Move{Ref: "refs/heads/target", Old: p.head, New: work.Commit}, []claim.Merge{merge})
	if outcomes, err := c.Change(t.Context(), batch); err != nil || outcomes[0] != claim.Done {
		t.Fatalf("land: %v, %v", outcomes, err)
	}
	if got := p.at().Git("rev-parse", "target"); got != work.Commit {
		t.Errorf("target %s", got)
	}
	return batch
}

// A claim that was changed before the landing keeps the target from moving; a target that moved keeps the claims.
func TestLandingIsOneTransaction(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		r := p.repos[0]
		c := claims(t, r)
		first := take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1").Held
		second := take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-2").Held
		next := r.Git("commit-tree", "-p", p.head, "-m", "next", p.head+"^{tree}")
		batch := claim.Batch{
			Changes: []claim.Change{{ID: "t-1", Old: first.Object, Do: claim.Delete}, {ID: "t-2", Old: first.Object, Do: claim.Delete}},
			Moves:   []claim.Move{{Ref: "refs/heads/target", Old: p.head, New: next}},
		}
		outcomes, err := c.Change(t.Context(), batch)
		if err != nil || outcomes[0] != claim.Skipped || outcomes[1] != claim.Lost || p.at().Git("rev-parse", "target") != p.head {
			t.Errorf("a lost claim: %v, %v", outcomes, err)
		}
		p.at().Git("update-ref", "refs/heads/target", p.at().Git("commit-tree", "-m", "other", p.head+"^{tree}"))
		batch.Changes[1].Old = second.Object
		outcomes, err = c.Change(t.Context(), batch)
		if err != nil || outcomes[0] != claim.Skipped || outcomes[1] != claim.Skipped {
			t.Errorf("a target that moved: %v, %v", outcomes, err)
		}
		if seen, err := c.See(t.Context(), nil); err != nil || len(seen) != 2 {
			t.Errorf("claims left: %v, %v", seen, err)
		}
		batch.Changes = nil
		if _, err := c.Change(t.Context(), batch); !errors.Is(err, authority.ErrMoved) {
			t.Errorf("a move alone: %v", err)
		}
	})
}

// A claim with a lease is taken once it was seen unchanged for longer than that, and not before.
func TestLease(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		c, other := claims(t, p.repos[0]), claims(t, p.repos[1])
		other.SetSkew(0)
		first := take(t, c, authority.Holder{Worker: "first", Lease: time.Second}, authority.TakeOptions{}, "t-1")
		if got := take(t, other, authority.Holder{Worker: "second"}, authority.TakeOptions{}, "t-1"); got.Refusal != claim.HeldBy {
			t.Errorf("taken at first sight: %+v", got)
		}
		time.Sleep(1100 * time.Millisecond)
		if _, err := c.Renew(t.Context(), authority.Own{"t-1": first.Held.Claim.Token}); err != nil {
			t.Fatal(err)
		}
		if got := take(t, other, authority.Holder{Worker: "second"}, authority.TakeOptions{}, "t-1"); got.Refusal != claim.HeldBy {
			t.Errorf("taken although it was renewed: %+v", got)
		}
		time.Sleep(1100 * time.Millisecond)
		if got := take(t, other, authority.Holder{Worker: "second"}, authority.TakeOptions{}, "t-1"); got.Refusal != "" || got.Held.Claim.Steals != 1 {
			t.Errorf("not taken: %+v", got)
		}
		if lost, err := c.Renew(t.Context(), authority.Own{"t-1": first.Held.Claim.Token}); err != nil || len(lost) != 1 {
			t.Errorf("renewed a claim that was taken: %v, %v", lost, err)
		}
	})
}

// A claim is deleted by whoever sees that the target does not show its round as pending any more.
func TestClear(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		c, other := claims(t, p.repos[0]), claims(t, p.repos[1])
		take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
		take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-2")
		seen, err := other.See(t.Context(), pending("t-2"))
		if err != nil {
			t.Fatal(err)
		}
		cleared, err := other.Clear(t.Context(), seen)
		if err != nil || len(cleared) != 1 || cleared[0] != "t-1" {
			t.Errorf("cleared %v, %v", cleared, err)
		}
	})
}

// faulty returns a clone whose pushes do what the file `fault` beside it says: "lose" loses the reply, "drop" the push.
func faulty(t *testing.T, r *gittest.Repo) *gittest.Repo {
	t.Helper()
	real, err := proc.LookPath("git", r.Env)
	if err != nil {
		t.Fatal(err)
	}
	bin, mode := r.Path("../bin"), r.Path("../fault")
	r.WriteFile("../bin/git", "#!/bin/sh\ncase \" $* \" in *' push '*)\n"+
		"if grep -q lose '"+mode+"' 2>/dev/null; then '"+real+"' \"$@\" >/dev/null 2>&1; exit 128; fi\n"+
		"if grep -q drop '"+mode+"' 2>/dev/null; then exit 128; fi\n"+
		"if grep -q throttle '"+mode+"' 2>/dev/null; then rm '"+mode+"'; echo 'error: RPC failed; HTTP 429' >&2; exit 128; fi\n"+
		"if grep -q steal '"+mode+"' 2>/dev/null; then . '"+mode+".sh'; fi ;;\nesac\nexec '"+real+"' \"$@\"\n")
	if err := os.Chmod(bin+"/git", 0o777); err != nil {
		t.Fatal(err)
	}
	return r.Setenv("PATH", bin+":"+r.Getenv("PATH"))
}

// A push that was accepted although its reply was lost is found to have been.
func TestLostReply(t *testing.T) {
	p := remotePlace(t)
	r := faulty(t, p.repos[0])
	c := claims(t, r)
	r.WriteFile("../fault", "lose")
	got := take(t, c, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
	if got.Refusal != "" {
		t.Fatalf("claim: %+v", got)
	}
	next := r.Git("commit-tree", "-p", p.head, "-m", "next", p.head+"^{tree}")
	work := claim.Work{Base: p.head, Branch: "refs/heads/work", Commit: next}
	if _, err := c.Finish(t.Context(), "t-1", got.Held.Claim.Token, work); err != nil {
		t.Fatalf("finish: %v", err)
	}
	r.Git("update-ref", "refs/heads/work", next)
	p.repos[1].Git("fetch", "-q", "team/hub")
	lands(t, place{"remote", p.bare, []*gittest.Repo{r, r}, p.head}, c, work)
}

// A claim that arrives after it was given up is deleted by the next command, whoever runs it in that clone.
func TestLatePush(t *testing.T) {
	p := remotePlace(t)
	r := faulty(t, p.repos[0])
	r.WriteFile("../fault", "drop")
	_, err := claims(t, r).Take(t.Context(), pending("t-1"), authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
	if !errors.Is(err, authority.ErrUnknown) {
		t.Fatalf("got %v", err)
	}
	late := lastClaim(r)
	r.Remove("../fault")
	r.Git("push", "-q", "team/hub", late+":refs/ralph/claims/t-1")
	got := take(t, claims(t, r), authority.Holder{Worker: "next"}, authority.TakeOptions{}, "t-1")
	if got.Refusal != "" || got.Held.Claim.Worker != "next" {
		t.Errorf("the late claim counts: %+v", got)
	}
}

// A claim that is taken between reading and pushing is lost, not overwritten.
func TestStolenBeforePush(t *testing.T) {
	p := remotePlace(t)
	r := faulty(t, p.repos[0])
	thief := claims(t, p.repos[1])
	stolen := take(t, thief, authority.Holder{Worker: "thief"}, authority.TakeOptions{}, "t-9").Held
	r.WriteFile("../fault.sh", "rm -f '"+r.Path("../fault")+"'; git -C '"+p.bare.Dir+"' update-ref refs/ralph/claims/t-1 "+stolen.Object+"\n")
	r.WriteFile("../fault", "steal")
	got, err := claims(t, r).Take(t.Context(), pending("t-1"), authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
	if err != nil || got[0].Refusal != claim.HeldBy || got[0].Held.Object != stolen.Object {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A remote that refuses our references, or cannot be reached, is an error that says so; what was seen before does not count.
func TestRemoteRefuses(t *testing.T) {
	p := remotePlace(t)
	c := claims(t, p.repos[0])
	p.bare.WriteFile("hooks/update", "#!/bin/sh\ncase $1 in refs/ralph/*) echo no such names here >&2; exit 1 ;; esac\n")
	if err := os.Chmod(p.bare.Path("hooks/update"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := c.Take(t.Context(), pending("t-1"), authority.Holder{}, authority.TakeOptions{}, "t-1")
	if !errors.Is(err, authority.ErrDeclined) || !strings.Contains(err.Error(), "no such names here") {
		t.Errorf("a hook: %v", err)
	}
	p.repos[0].Git("remote", "set-url", "team/hub", p.repos[0].Path("../nowhere"))
	if _, err := c.See(t.Context(), nil); !errors.Is(err, authority.ErrRemote) {
		t.Errorf("unreachable: %v", err)
	}
	p.repos[0].Git("remote", "set-url", "--add", "--push", "team/hub", "one")
	p.repos[0].Git("remote", "set-url", "--add", "--push", "team/hub", "two")
	if _, err := authority.Open(t.Context(), open(t, p.repos[0])); !errors.Is(err, authority.ErrPushURL) {
		t.Errorf("two push URLs: %v", err)
	}
}

// Claims work from a shallow and from a partial clone.
func TestIncompleteClones(t *testing.T) {
	p := remotePlace(t)
	p.bare.Git("config", "uploadpack.allowFilter", "true")
	for name, option := range map[string]string{"shallow": "--depth=1", "partial": "--filter=blob:none"} {
		p.repos[0].Git("clone", "-q", option, "file://"+p.bare.Dir, "../"+name)
		r := p.repos[0].At("../" + name)
		r.Git("config", "ralph.claims.remote", "origin")
		c := claims(t, r)
		id := "t-" + name
		got := take(t, c, authority.Holder{Worker: name}, authority.TakeOptions{}, id)
		seen := take(t, claims(t, p.repos[1]), authority.Holder{Worker: "second"}, authority.TakeOptions{}, id)
		if got.Refusal != "" || seen.Refusal != claim.HeldBy || seen.Held.Claim.Worker != name {
			t.Errorf("%s: %+v, %+v", name, got, seen)
		}
		if lost, err := c.Release(t.Context(), authority.Own{id: got.Held.Claim.Token}); err != nil || len(lost) > 0 {
			t.Errorf("%s: release: %v, %v", name, lost, err)
		}
	}
}

// A lock that a killed git left is named once it is old; one that goes away is waited for.
func TestGitLocks(t *testing.T) {
	r := gittest.NewRepo(t)
	c := claims(t, r)
	r.WriteFile(".git/refs/ralph/claims/t-1.lock", "")
	time.AfterFunc(300*time.Millisecond, func() { r.Remove(".git/refs/ralph/claims/t-1.lock") })
	if got := take(t, c, authority.Holder{}, authority.TakeOptions{}, "t-1"); got.Refusal != "" {
		t.Errorf("contention: %+v", got)
	}
	c.SetWait(0)
	r.WriteFile(".git/refs/ralph/claims/t-2.lock", "")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(r.Path(".git/refs/ralph/claims/t-2.lock"), old, old); err != nil {
		t.Fatal(err)
	}
	_, err := c.Take(t.Context(), pending("t-2"), authority.Holder{}, authority.TakeOptions{}, "t-2")
	var locked *authority.GitLockedError
	if !errors.As(err, &locked) || len(locked.Left) != 1 || !strings.HasSuffix(locked.Left[0], "t-2.lock") {
		t.Errorf("got %v", err)
	}
	if left := authority.LeftLocks(open(t, r)); len(left) != 1 {
		t.Errorf("left locks: %v", left)
	}
}

// A lock at a remote is waited for, and is never taken for a lost reply; one that is old is named.
func TestGitLocksOfARemote(t *testing.T) {
	p := remotePlace(t)
	r := faulty(t, p.repos[0])
	lock := "refs/ralph/claims/t-1.lock"
	p.bare.WriteFile(lock, "")
	pushes := r.Path("../pushes")
	r.WriteFile("../fault.sh", "echo >>'"+pushes+"'; [ $(wc -l <'"+pushes+"') -lt 5 ] || rm -f '"+p.bare.Path(lock)+"'\n")
	r.WriteFile("../fault", "steal")
	c := claims(t, r)
	c.SetWait(time.Hour)
	if got := take(t, c, authority.Holder{}, authority.TakeOptions{}, "t-1"); got.Refusal != "" {
		t.Errorf("contention: %+v", got)
	}
	c.SetWait(0)
	old := time.Now().Add(-time.Hour)
	lock = "refs/ralph/claims/t-2.lock"
	p.bare.WriteFile(lock, "")
	r.Remove("../fault")
	if err := os.Chtimes(p.bare.Path(lock), old, old); err != nil {
		t.Fatal(err)
	}
	_, err := c.Take(t.Context(), pending("t-2"), authority.Holder{}, authority.TakeOptions{}, "t-2")
	var locked *authority.GitLockedError
	if !errors.As(err, &locked) || len(locked.Left) != 1 || !strings.HasSuffix(locked.Left[0], "t-2.lock") || locked.Remote != "team/hub" {
		t.Errorf("got %v", err)
	}
}

// While another fetch of the same clone has a copy locked, a fetch waits.
func TestFetchesOfOneClone(t *testing.T) {
	p := remotePlace(t)
	r := p.repos[0]
	c := claims(t, r)
	lock := ".git/" + c.Copy("refs/heads/target") + ".lock"
	r.WriteFile(lock, "")
	time.AfterFunc(300*time.Millisecond, func() { r.Remove(lock) })
	if _, err := c.Fetched(t.Context(), "refs/heads/target"); err != nil {
		t.Error(err)
	}
}

// One push renews the claims of all workers of a clone that asked for it; a lost claim of one stops no other.
func TestRenewTogether(t *testing.T) {
	p := remotePlace(t)
	r, counter := p.repos[0].CountProcesses()
	first, second := claims(t, r), claims(t, r)
	a := take(t, first, authority.Holder{Worker: "a", Lease: time.Hour}, authority.TakeOptions{}, "t-1").Held
	b := take(t, second, authority.Holder{Worker: "b", Lease: time.Hour}, authority.TakeOptions{}, "t-2").Held
	if _, err := first.Renew(t.Context(), authority.Own{"t-1": a.Claim.Token}); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Renew(t.Context(), authority.Own{"t-2": b.Claim.Token}); err != nil {
		t.Fatal(err)
	}
	counter.Started()
	if _, err := first.Renew(t.Context(), authority.Own{"t-1": a.Claim.Token}); err != nil {
		t.Fatal(err)
	}
	if started := counter.Started(); len(started) > 0 {
		t.Errorf("renewed again at once: %v", started)
	}
	p.bare.Git("update-ref", "-d", "refs/ralph/claims/t-1")
	third := take(t, first, authority.Holder{Worker: "c", Lease: time.Hour}, authority.TakeOptions{}, "t-3").Held
	lost, err := first.Renew(t.Context(), authority.Own{"t-1": a.Claim.Token, "t-3": third.Claim.Token})
	if _, gone := lost["t-1"]; err != nil || !gone || len(lost) != 1 {
		t.Errorf("lost %v, %v", lost, err)
	}
	seen, err := first.See(t.Context(), nil)
	if err != nil || seen["t-3"].Held.Claim.Renewals != 1 || seen["t-2"].Held.Claim.Renewals < 1 {
		t.Errorf("renewals: %+v, %v", seen, err)
	}
}

// A remote that says that we ask too often is tried again.
func TestThrottled(t *testing.T) {
	r := faulty(t, remotePlace(t).repos[0])
	r.WriteFile("../fault", "throttle")
	if got := take(t, claims(t, r), authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1"); got.Refusal != "" || r.Exists("../fault") {
		t.Errorf("got %+v", got)
	}
}

// A lease does not run out while the remote cannot be read: its holder could not renew it either.
func TestOutage(t *testing.T) {
	p := remotePlace(t)
	c, other := claims(t, p.repos[0]), claims(t, p.repos[1])
	other.SetSkew(0)
	take(t, c, authority.Holder{Worker: "first", Lease: time.Second}, authority.TakeOptions{}, "t-1")
	see := func() (claim.Staleness, error) {
		seen, err := other.See(t.Context(), nil, "t-1")
		return other.Protocol().Stale(seen["t-1"]), err
	}
	if stale, err := see(); err != nil || stale != claim.Fresh {
		t.Fatalf("at first: %s, %v", stale, err)
	}
	time.Sleep(1100 * time.Millisecond)
	if err := os.Rename(p.bare.Dir, p.bare.Dir+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := see(); !errors.Is(err, authority.ErrRemote) {
		t.Errorf("without a remote: %v", err)
	}
	if err := os.Rename(p.bare.Dir+".away", p.bare.Dir); err != nil {
		t.Fatal(err)
	}
	if stale, err := see(); err != nil || stale != claim.Fresh {
		t.Errorf("after the outage: %s, %v", stale, err)
	}
	time.Sleep(1100 * time.Millisecond)
	if stale, err := see(); err != nil || stale != claim.ByLease {
		t.Errorf("a lease later: %s, %v", stale, err)
	}
}

// Claims that were written, and cannot be confirmed because the target cannot be read, are given back.
func TestUnconfirmed(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		reads := 0
		target := &authority.Target{At: func(context.Context, string) (claim.Target, error) {
			if reads++; reads > 1 {
				return nil, errors.New("no target")
			}
			return claim.Target{"t-1": {Pending: true}}, nil
		}}
		c := claims(t, p.repos[0])
		if _, err := c.Take(t.Context(), target, authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1"); err == nil {
			t.Fatal("no error")
		}
		if seen, err := claims(t, p.repos[1]).See(t.Context(), nil); err != nil || len(seen) > 0 {
			t.Errorf("left: %+v, %v", seen, err)
		}
	})
}

// Copies of many claims come from a cache, and show each change of a reference nevertheless.
func TestCopies(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		c := claims(t, p.repos[0])
		var ids []string
		for i := range 40 {
			ids = append(ids, fmt.Sprint("t-", i))
		}
		if _, err := c.Take(t.Context(), pending(ids...), authority.Holder{Worker: "w"}, authority.TakeOptions{}, ids...); err != nil {
			t.Fatal(err)
		}
		check := func(want int) {
			t.Helper()
			held, err := c.Copies(t.Context())
			if err != nil || len(held) != want || held["t-1"].Claim.Worker != "w" {
				t.Errorf("got %d claims, %v; want %d", len(held), err, want)
			}
		}
		for n := 40; n > 38; n-- {
			check(n)
			time.Sleep(1050 * time.Millisecond) // from now on the cache is written, and then read
			check(n)
			check(n)
			h, err := c.Copies(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			id := fmt.Sprint("t-", n-1)
			if _, err := c.Release(t.Context(), authority.Own{id: h[id].Claim.Token}); err != nil {
				t.Fatal(err)
			}
			if _, err := c.See(t.Context(), nil); err != nil { // a remote's copies are those of the last read
				t.Fatal(err)
			}
			if n == 39 {
				p.repos[0].Git("pack-refs", "--all")
			}
		}
		check(38)
	})
}
