package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/journal"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// within is far more than a change takes to be reported, and far less than the interval would take by chance.
const within = 1500 * time.Millisecond

// watched returns a repository with a plan, and the reports of its changes.
func watched(t *testing.T) (*gittest.Repo, <-chan Change) {
	t.Helper()
	r := gittest.NewRepo(t)
	r.Commit("plan", map[string]string{store.DefaultPath: "{\"t\": \"spec\", \"spec\": \"a.md\"}\n"})
	return r, watchIn(t, r)
}

// watchIn returns the reports of changes of the worktree that a repository is in.
func watchIn(t *testing.T, r *gittest.Repo) <-chan Change {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{Dir: r.Dir, Environ: r.Env, Now: time.Now, Random: func(int) int { return 7 }})
	if err != nil {
		t.Fatal(err)
	}
	return Plan(t.Context(), st)
}

// await receives until all that is wanted was reported.
func await(t *testing.T, changes <-chan Change, what string, want Change) {
	t.Helper()
	awaitFor(t, within, changes, what, want)
}

func awaitFor(t *testing.T, within time.Duration, changes <-chan Change, what string, want Change) {
	t.Helper()
	began, got := time.Now(), Change{}
	for got.with(want) != got {
		select {
		case c := <-changes:
			got = got.with(c)
		case <-time.After(within):
			t.Fatalf("%s: %+v was reported within %s; want %+v", what, got, within, want)
		}
	}
	t.Log(what, time.Since(began))
}

// quiet fails the test if anything is reported.
func quiet(t *testing.T, changes <-chan Change, what string) {
	t.Helper()
	select {
	case c := <-changes:
		t.Fatalf("%s: %+v was reported", what, c)
	case <-time.After(10 * settle):
	}
}

// TestReports: whatever changes what views show is reported at once, long before the next look.
func TestReports(t *testing.T) {
	r, changes := watched(t)
	path := filepath.Join(r.Dir, filepath.FromSlash(store.DefaultPath))
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	await(t, changes, "edit", Change{Plan: true})
	kept := filepath.Join(r.Dir, ".git", filepath.FromSlash(authority.KeptFile))
	if err := os.MkdirAll(filepath.Dir(kept), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	await(t, changes, "a token that is kept after its claim was made", Change{References: true})
	r.Commit("other", map[string]string{"other": "1"})
	await(t, changes, "commit", Change{References: true})
	head := r.Git("rev-parse", "HEAD")
	for range 2 { // its directory goes with the last one, and comes back
		r.Git("update-ref", "refs/ralph/claims/t-one1", head)
		await(t, changes, "claim", Change{References: true})
		r.Git("update-ref", "-d", "refs/ralph/claims/t-one1")
		await(t, changes, "claim that ends", Change{References: true})
	}
	r.Git("pack-refs", "--all")
	await(t, changes, "packed references", Change{References: true})
	r.Git("checkout", "-q", "-b", "topic/one")
	await(t, changes, "branch", Change{References: true})
	run, err := journal.Of(filepath.Join(r.Dir, ".git")).Begin("20260131T120000.000-0001", "test", 1)
	if err != nil {
		t.Fatal(err)
	}
	await(t, changes, "run", Change{Runs: true})
	run.Close()
	awaitFor(t, 10*interval, changes, "killed run", Change{Runs: true}) // its lock is free then, which no file shows
	r.Git("worktree", "add", "-q", filepath.Join(t.TempDir(), "two"))
	await(t, changes, "worktree", Change{Runs: true})
	for deadline := time.Now().Add(10 * settle); time.Now().Before(deadline); {
		select {
		case <-changes:
		case <-time.After(5 * settle):
		}
	}
	r.Git("status")
	r.Git("show-ref")
	quiet(t, changes, "reading")
}

// TestLinkedWorktree: a commit in a linked worktree is reported there, and in the main one; an edit of its plan is reported there alone.
func TestLinkedWorktree(t *testing.T) {
	main, inMain := watched(t)
	dir := filepath.Join(t.TempDir(), "two")
	main.Git("worktree", "add", "-q", "-b", "topic/two", dir)
	await(t, inMain, "worktree", Change{References: true, Runs: true})
	linked := main.At(dir)
	inLinked := watchIn(t, linked)
	if err := os.WriteFile(linked.Path(store.DefaultPath), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	await(t, inLinked, "edit", Change{Plan: true})
	linked.Commit("two", map[string]string{"two": "2"})
	await(t, inLinked, "commit", Change{References: true})
	await(t, inMain, "commit elsewhere", Change{References: true})
	linked.Git("checkout", "-q", "--detach")
	await(t, inLinked, "HEAD", Change{References: true})
}

// TestMerged: what changes while nobody receives is one report; and the channel is closed at the end.
func TestMerged(t *testing.T) {
	changes := make(chan Change, 1)
	report(changes, Change{Plan: true})
	report(changes, Change{Runs: true})
	if c := <-changes; c != (Change{Plan: true, Runs: true}) {
		t.Errorf("%+v", c)
	}
	ctx, stop := context.WithCancel(t.Context())
	w := &watcher{}
	stop()
	w.run(ctx, changes)
	if _, open := <-changes; open {
		t.Error("the channel is open")
	}
}
