package team

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// newBoardReader makes a reader for a plan with items and tasks of items.
func newBoardReader(t testing.TB, items, tasks int) (*BoardReader, *gittest.Repo) {
	t.Helper()
	repo := gittest.NewRepo(t)
	var b strings.Builder
	for i := range items {
		fmt.Fprintf(&b, `{"t": "item", "id": "w-%d", "name": "n", "state": "Plan in Review", "created_at": "2026-01-01T00:00:00.%03dZ"}`+"\n", i, i%1000)
	}
	for i := range tasks {
		fmt.Fprintf(&b, `{"t": "task", "id": "t-%d", "name": "n", "s": "p", "created_at": "2026-01-02T00:00:00.%03dZ"}`+"\n", i, i%1000)
	}
	repo.Commit("plan", map[string]string{store.DefaultPath: b.String()})
	st, err := store.Open(t.Context(), store.Options{Dir: repo.Dir, Environ: repo.Env, Now: time.Now, Random: rand.IntN})
	if err != nil {
		t.Fatal(err)
	}
	claims, err := authority.OpenAt(t.Context(), st.Repo(), "")
	if err != nil {
		t.Fatal(err)
	}
	return &BoardReader{Store: st, Claims: claims, Into: "refs/heads/main", Integration: pipeline.ByLanding}, repo
}

// TestABoardIsReadOnce guards: a look at a target and claims that have not changed costs no look at the plan, and a change of either is seen.
func TestABoardIsReadOnce(t *testing.T) {
	t.Parallel()
	r, repo := newBoardReader(t, 1, 2)
	read := func() Board {
		b, err := r.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	first, p := read(), r.plan
	r.plan = nil // whoever looks at it now panics
	if again := read(); !reflect.DeepEqual(first, again) {
		t.Errorf("read %+v, and then %+v", first, again)
	}
	r.plan = p
	got, err := r.Claims.Take(t.Context(), r.target(), authority.Holder{Worker: "w", Into: r.Into, Lease: time.Hour}, authority.TakeOptions{}, "t-0")
	if err != nil || got[0].Refusal != "" {
		t.Fatal(got, err)
	}
	if b := read(); b.Working != 1 || b.Ready != first.Ready-1 {
		t.Errorf("with a claim: %+v", b)
	}
	repo.Commit("empty", map[string]string{store.DefaultPath: ""})
	if b := read(); b.Pending != 0 {
		t.Errorf("of an empty plan: %+v", b)
	}
}

// BenchmarkBoard looks at a target of 10,000 tasks and 1,000 items that does not change, and again where nothing was kept.
func BenchmarkBoard(b *testing.B) {
	r, _ := newBoardReader(b, 1000, 10_000)
	for _, kept := range []bool{true, false} {
		b.Run(fmt.Sprintf("kept=%v", kept), func(b *testing.B) {
			for b.Loop() {
				if !kept {
					r.key = ""
				}
				if _, err := r.Read(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
