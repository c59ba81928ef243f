package authority_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

func open(t testing.TB, r *gittest.Repo) *git.Repo {
	t.Helper()
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Config(t.Context()); err != nil {
		t.Fatal(err)
	}
	return repo
}

// pending returns a target that shows tasks as pending.
func pending(ids ...string) authority.ReadTarget {
	target := claim.Target{}
	for _, id := range ids {
		target[id] = claim.Task{Pending: true}
	}
	return func(context.Context) (claim.Target, error) { return target, nil }
}

func claims(t testing.TB, r *gittest.Repo) *authority.Claims {
	t.Helper()
	c, err := authority.Open(t.Context(), open(t, r))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// take claims one task.
func take(t testing.TB, c *authority.Claims, by authority.Holder, o authority.TakeOptions, id string) authority.Taking {
	t.Helper()
	got, err := c.Take(t.Context(), pending(id), by, o, id)
	if err != nil || len(got) != 1 {
		t.Fatalf("take %s: %v, %v", id, got, err)
	}
	t.Cleanup(got[0].Lock.Release)
	return got[0]
}

// Of many who take one task at once, one wins, and the others see who has it.
func TestOneWinner(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		r := gittest.NewRepo(t, "--object-format="+format)
		var group sync.WaitGroup
		var lock sync.Mutex
		winners, seen := map[string]bool{}, map[string]bool{}
		for i := range 8 {
			c := claims(t, r)
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
			t.Errorf("%s: winners %v, holders seen %v", format, winners, seen)
		}
	}
}

// Several tasks are taken each by itself or, where the caller wants that, all or none.
func TestTakeSeveral(t *testing.T) {
	r := gittest.NewRepo(t)
	c := claims(t, r)
	target := pending("t-1", "t-2", "t-3")
	take(t, c, authority.Holder{Worker: "first"}, authority.TakeOptions{}, "t-2")
	got, err := c.Take(t.Context(), target, authority.Holder{Worker: "second"}, authority.TakeOptions{AllOrNone: true}, "t-1", "t-2")
	if err != nil || got[0].Refusal != claim.NotTaken || got[1].Refusal != claim.HeldBy || got[1].Held.Claim.Worker != "first" {
		t.Errorf("all or none: %+v, %v", got, err)
	}
	got, err = c.Take(t.Context(), target, authority.Holder{Worker: "second"}, authority.TakeOptions{}, "t-1", "t-2", "t-3", "t-4")
	if err != nil || got[0].Refusal != "" || got[1].Refusal != claim.HeldBy || got[2].Refusal != "" || got[3].Refusal != claim.NotPending {
		t.Errorf("each: %+v, %v", got, err)
	}
}

// The whole life of a claim: taken, renewed, finished, returned, finished, landed; and what each needs.
func TestLife(t *testing.T) {
	r := gittest.NewRepo(t)
	head := r.Commit("first", map[string]string{"a": "1\n"})
	c := claims(t, r)
	got := take(t, c, authority.Holder{Worker: "w", Lease: time.Minute, Lock: true}, authority.TakeOptions{}, "t-1")
	own := authority.Own{"t-1": got.Held.Claim.Token}
	if lost, err := c.Renew(t.Context(), own); err != nil || len(lost) > 0 {
		t.Fatalf("renew: %v, %v", lost, err)
	}
	work := claim.Work{Base: head, Branch: "refs/heads/work", Commit: head}
	if _, err := c.Finish(t.Context(), "t-1", own["t-1"], work); err != nil {
		t.Fatal(err)
	}
	back, err := c.Return(t.Context(), "t-1", "conflict in a")
	if err != nil || back.Claim.State != claim.Working || back.Claim.Returns != 1 || back.Claim.Lease != 60 {
		t.Fatalf("return: %+v, %v", back, err)
	}
	held, err := c.Finish(t.Context(), "t-1", own["t-1"], work)
	if err != nil {
		t.Fatal(err)
	}
	r.Git("update-ref", "refs/heads/target", head)
	next := r.Git("commit-tree", "-p", head, "-m", "next", head+"^{tree}")
	seen, err := c.See(t.Context(), pending("t-1"), "t-1")
	if err != nil {
		t.Fatal(err)
	}
	merge := claim.Merge{Work: work, Tasks: []claim.Seen{seen["t-1"]}}
	if refused := c.Protocol().Check(merge); len(refused) > 0 {
		t.Fatalf("check: %v (%+v)", refused, held)
	}
	batch := c.Protocol().Land(claim.Move{Ref: "refs/heads/target", Old: head, New: next}, []claim.Merge{merge})
	if outcomes, err := c.Change(t.Context(), batch); err != nil || outcomes[0] != claim.Done {
		t.Fatalf("land: %v, %v", outcomes, err)
	}
	if got := r.Git("rev-parse", "target"); got != next {
		t.Errorf("target %s", got)
	}
	if outcomes, err := c.Change(t.Context(), batch); err != nil || outcomes[0] != claim.Lost {
		t.Errorf("landed twice: %v, %v", outcomes, err)
	}
	if lost, err := c.Renew(t.Context(), own); err != nil || len(lost) != 1 {
		t.Errorf("renewed a claim that is gone: %v, %v", lost, err)
	}
}

// A claim whose worker has gone is taken at once; one whose worker, or agent, runs is not, nor one without a lock.
func TestProof(t *testing.T) {
	r := gittest.NewRepo(t)
	c := claims(t, r)
	for _, lock := range []bool{true, false} {
		id := fmt.Sprint("t-", lock)
		first := take(t, c, authority.Holder{Worker: "first", Lease: time.Hour, Lock: lock}, authority.TakeOptions{}, id)
		if got := take(t, c, authority.Holder{Worker: "second"}, authority.TakeOptions{}, id); got.Refusal != claim.HeldBy {
			t.Errorf("lock %v: taken from a live worker: %+v", lock, got)
		}
		first.Lock.Release()
		want := claim.HeldBy // released in order, so that the file is missing, which proves nothing
		if got := take(t, c, authority.Holder{Worker: "second"}, authority.TakeOptions{}, id); got.Refusal != want {
			t.Errorf("lock %v: got %+v", lock, got)
		}
		if got := take(t, c, authority.Holder{Worker: "second"}, authority.TakeOptions{Force: true}, id); got.Refusal != "" || got.Held.Claim.Steals != 1 {
			t.Errorf("lock %v: not stolen by force: %+v", lock, got)
		}
	}
}
