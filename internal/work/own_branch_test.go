package work

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/loop"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// TestAgentsOwnBranchIsRecovered guards: what an agent committed on a branch of its own, or on none, before its worker was killed is on
// the branch of the task afterwards, with what it left uncommitted; commits of others that it only checked out are not.
func TestAgentsOwnBranchIsRecovered(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	for _, c := range []struct {
		name   string
		leave  func(agent *gittest.Repo)
		joined bool
	}{
		{"own branch", func(agent *gittest.Repo) { agent.Git("checkout", "-q", "-b", "own") }, true},
		{"own branch of another", func(agent *gittest.Repo) {
			agent.Git("checkout", "-q", "-b", "own")
			agent.Git("switch", "-q", "-c", "other")
		}, true},
		{"no branch", func(agent *gittest.Repo) { agent.Git("checkout", "-q", "--detach") }, true},
		{"branch of the user", func(agent *gittest.Repo) {
			agent.Git("branch", "-q", "users", agent.Git("commit-tree", "-p", ref, "-m", "secret", ref+"^{tree}"))
			agent.Git("checkout", "-q", "users")
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _, p := left(t, ref)
			agent := r.At(p.st.Repo().Root())
			was := r.Git("rev-parse", ref)
			c.leave(agent)
			agent.Commit("elsewhere", map[string]string{"elsewhere": "of the agent 4\n"})
			elsewhere := agent.Git("rev-parse", "HEAD")
			agent.WriteFile("last", "of the agent 5\n")
			reported := ""
			err := p.recover(t.Context(), time.Now(), loop.Settings{}, r.Git("rev-parse", "main"), func(text string) { reported += text + "\n" })
			if err != nil {
				t.Fatal(err)
			}
			if !c.joined {
				if got := r.Git("rev-parse", ref); got != was {
					t.Errorf("the branch of the task moved to %s\n%s", got, reported)
				}
				return
			}
			if !strings.Contains(reported, "the commits that the agent made on ") {
				t.Errorf("reported %q", reported)
			}
			for name, want := range map[string]string{"elsewhere": "of the agent 4", "last": "of the agent 5", "staged": "of the agent 2"} {
				if content, err := r.TryGit("show", ref+":"+name); err != nil || strings.TrimSpace(content) != want {
					t.Errorf("%s: %v, %q, want %q", name, err, content, want)
				}
			}
			if out, err := r.TryGit("merge-base", "--is-ancestor", elsewhere, ref); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestOwnerOnNoBranch guards: whoever takes a task over finds the worktree of a dead worker whose agent left the branch of the task for one
// of its own or, with work, for none, also where a power cut has damaged what connects it; one that only waits there has no such work.
func TestOwnerOnNoBranch(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	for name, c := range map[string]struct {
		leave func(agent *gittest.Repo)
		owner string
	}{
		"commits": {func(agent *gittest.Repo) {
			agent.Git("checkout", "-q", "--detach")
			agent.Git("commit", "-qm", "elsewhere")
		}, "tree"},
		"changes": {func(agent *gittest.Repo) { agent.Git("checkout", "-q", "--detach") }, "tree"},
		"damaged": {func(agent *gittest.Repo) { agent.WriteFile(".git", "") }, "tree"},
		"waits": {func(agent *gittest.Repo) {
			agent.Git("add", ".")
			agent.Git("commit", "-qm", "all")
			agent.Git("checkout", "-q", "--detach")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, _, p := left(t, ref)
			w := beside(t, r)
			c.leave(r.At(p.st.Repo().Root()))
			if owner, err := w.ownerOf(t.Context(), ref); owner != c.owner || err != nil {
				t.Errorf("the owner is %q, %v, want %q", owner, err, c.owner)
			}
		})
	}
}

// beside returns a worker of the repository beside whose worktree others are.
func beside(t *testing.T, r *gittest.Repo) *Worker {
	t.Helper()
	open := func(ctx context.Context, dir string) (*store.Store, error) {
		return store.Open(ctx, store.Options{Dir: dir, Environ: r.Env, Now: time.Now, Random: func(int) int { return 7 }})
	}
	st, err := open(t.Context(), r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	w := &Worker{Store: st, OpenStore: open, place: &place{}, Loop: loop.Config{Reporter: &reports{}, Now: time.Now}}
	w.dir = Directory{repo: st.Repo(), path: filepath.Dir(r.Dir), notes: t.TempDir()}
	w.target.tip = r.Git("rev-parse", "main")
	return w
}
