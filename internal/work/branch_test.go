package work

import (
	"path/filepath"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// TestClaimsNameNoBranchOfTheUsers guards: a claim that came from a remote makes a worker go on from, and so publish, nothing but a
// branch of workers for that very task, with the commit that the claim names; or what the remote has.
func TestClaimsNameNoBranchOfTheUsers(t *testing.T) {
	r := gittest.NewRepo(t)
	tip := r.Commit("first", map[string]string{store.DefaultPath: `{"t": "task", "id": "t-one", "name": "One", "s": "p"}` + "\n"})
	at := map[string]string{}
	for _, name := range []string{"wip", "theirs", "ralph-work/t-one.abcd", "ralph-work/t-two.abcd"} {
		at[name] = r.Git("commit-tree", "-p", tip, "-m", name, tip+"^{tree}")
		r.Git("branch", name, at[name])
	}
	bare := filepath.Join(filepath.Dir(r.Dir), "bare")
	r.Git("init", "-q", "--bare", bare)
	r.Git("remote", "add", "origin", bare)
	r.Git("push", "-q", "origin", "main", "theirs")
	for _, test := range []struct{ remote, branch, commit, from string }{
		{remote: "origin", branch: "wip", from: "ralph-work/t-one.abcd"},
		{remote: "origin", branch: "wip", commit: at["wip"], from: "ralph-work/t-one.abcd"},
		{remote: "origin", branch: "ralph-work/t-two.abcd", from: "ralph-work/t-one.abcd"},
		{remote: "origin", branch: "ralph-work/t-one.abcd", commit: at["wip"]},
		{remote: "origin", branch: "ralph-work/t-one.abcd", commit: at["ralph-work/t-one.abcd"], from: "ralph-work/t-one.abcd"},
		{remote: "origin", branch: "ralph-work/t-one.abcd", commit: tip, from: "ralph-work/t-one.abcd"}, // its worker went on
		{remote: "origin", branch: "theirs", commit: at["theirs"], from: "theirs"},
		{branch: "wip", from: "ralph-work/t-one.abcd"},
		{branch: "wip", commit: at["wip"], from: "wip"},
	} {
		w := workerOf(t, r, test.remote)
		mine := claim.Claim{ID: "t-one", Token: "own45678", Branch: "refs/heads/" + test.branch, Commit: test.commit}
		o, err := w.originOf(t.Context(), mine, claim.Claim{})
		if test.from != "" {
			test.from = "refs/heads/" + test.from
		}
		if err != nil || o.from != test.from {
			t.Errorf("%+v: from %q, %v", test, o.from, err)
		}
	}
}

// TestVerdictsThatDidNotLandAreNotGoneOnFrom guards: a review that was killed after it had sent a plan back, and before that landed, is begun
// afresh. Else its verdict came along with that of the next version: the plan was sent back once too often, and approved unseen.
func TestVerdictsThatDidNotLandAreNotGoneOnFrom(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("items", map[string]string{store.DefaultPath: `{"t": "item", "id": "w-1", "name": "one", "state": "Ready for Plan"}` + "\n"})
	w := workerOf(t, r, "")
	w.Loop.Reporter, w.Loop.Now = &reports{}, time.Now
	change := func(do func(p *plan.Plan, in store.Inputs) (plan.Change, error)) {
		t.Helper()
		if err := update(w.Store, do); err != nil {
			t.Fatal(err)
		}
	}
	finish := func(id string, result pipeline.Result) func(*plan.Plan, store.Inputs) (plan.Change, error) {
		return func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			return pipeline.Finish(p, []string{id}, pipeline.Finishing{Result: result, DoneOptions: plan.DoneOptions{Head: in.Head}}, in.Stamp)
		}
	}
	change(func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		return pipeline.Extend(p, []string{"w-1"}, nil)
	})
	change(finish("t-w-1-plan", pipeline.Result{}))
	verdict := finish("t-w-1-review", pipeline.Result{Verdict: pipeline.NeedsIteration, Reason: "no test"})
	r.Git("checkout", "-q", "-b", "ralph-work/t-w-1-review.aaaa")
	change(verdict)
	r.Git("checkout", "-q", "main")
	change(verdict)
	change(finish("t-w-1-plan", pipeline.Result{}))
	if err := w.readTarget(t.Context()); err != nil {
		t.Fatal(err)
	}
	o, err := w.originOf(t.Context(), claim.Claim{ID: "t-w-1-review", Token: "own45678"}, claim.Claim{})
	if err != nil || o.from != "" || o.commit != r.Git("rev-parse", "main") {
		t.Errorf("from %+v, %v", o, err)
	}
}

// workerOf returns a worker of a repository, as far as it needs no agent.
func workerOf(t *testing.T, r *gittest.Repo, remote string) *Worker {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{Dir: r.Dir, Environ: r.Env, Now: time.Now, Random: func(int) int { return 7 }})
	if err != nil {
		t.Fatal(err)
	}
	w := &Worker{Store: st, Into: "refs/heads/main", place: &place{name: "a"}}
	if w.Claims, err = authority.OpenAt(t.Context(), st.Repo(), remote); err != nil {
		t.Fatal(err)
	}
	if w.dir, err = OpenDirectory(t.Context(), st.Repo()); err != nil {
		t.Fatal(err)
	}
	if err = w.readTarget(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}
