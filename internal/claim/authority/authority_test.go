package authority_test

import (
	"context"
	"fmt"
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
func pending(ids ...string) *authority.Target {
	target := claim.Target{}
	for _, id := range ids {
		target[id] = claim.Task{Pending: true}
	}
	return &authority.Target{At: func(context.Context, string) (claim.Target, error) { return target, nil }}
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
