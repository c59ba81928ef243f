package work

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/loop"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// TestNextWorkerGoesOnAfterPowerCut guards: whatever file of git's a power cut left empty, cut or full of zeros, the next worker says
// so, and commits all that the files in the worktree contain to a branch of which nothing is missing.
func TestNextWorkerGoesOnAfterPowerCut(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	object := func(rev string) func(r, agent *gittest.Repo) string {
		return func(_, agent *gittest.Repo) string {
			id := agent.Git("rev-parse", rev)
			return filepath.Join("objects", id[:2], id[2:])
		}
	}
	branch := func(*gittest.Repo, *gittest.Repo) string { return filepath.FromSlash(ref) }
	index := func(*gittest.Repo, *gittest.Repo) string { return filepath.Join("worktrees", "tree", "index") }
	head := func(*gittest.Repo, *gittest.Repo) string { return filepath.Join("worktrees", "tree", "HEAD") }
	link := func(name string) func(r, agent *gittest.Repo) string {
		return func(*gittest.Repo, *gittest.Repo) string { return filepath.Join("worktrees", "tree", name) }
	}
	inTree := func(*gittest.Repo, *gittest.Repo) string { return filepath.Join("..", "..", "tree", ".git") }
	for _, c := range []struct {
		name   string
		file   func(r, agent *gittest.Repo) string
		damage func(data []byte) []byte
		says   string
	}{
		{"HEAD empty", head, empty, "the HEAD of the worktree tree was damaged, as after a power cut: set it to ralph-work/t-one.abcd"},
		{"HEAD zeros", head, zeros, "the HEAD"},
		{"HEAD cut", head, func(data []byte) []byte { return data[:3] }, "the HEAD"},
		{"link empty", inTree, empty, "tree/.git again"},
		{"link zeros", inTree, zeros, "tree/.git again"},
		{"link back empty", link("gitdir"), empty, "worktrees/tree/gitdir again"},
		{"link to the repository empty", link("commondir"), empty, "worktrees/tree/commondir again"},
		{"link to the repository zeros", link("commondir"), zeros, "worktrees/tree/commondir again"},
		{"branch empty", branch, empty, "the branch ralph-work/t-one.abcd was damaged"},
		{"branch cut", branch, half, "the branch"},
		{"branch zeros", branch, zeros, "the branch"},
		{"index empty", index, empty, "made the index"},
		{"index cut", index, half, "made the index"},
		{"commit empty", object(ref), empty, "the branch"},
		{"commit cut", object(ref), half, "removed an object"},
		{"tree zeros", object(ref + "^{tree}"), zeros, "the branch"},
		{"committed file empty", object(ref + ":committed"), empty, "made the index"},
		{"staged file empty", object(":staged"), empty, "made the index"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _, p := left(t, ref)
			agent := r.At(p.st.Repo().Root())
			cut(t, filepath.Join(r.Path(".git"), c.file(r, agent)), c.damage)
			reported := recoverAfterCut(t, r, p)
			if !strings.Contains(reported, c.says) {
				t.Errorf("reported %q, want %q", reported, c.says)
			}
			for name, want := range map[string]string{"committed": "of the agent 1", "staged": "of the agent 2", "new": "of the agent 3"} {
				if content, err := r.TryGit("show", ref+":"+name); err != nil || strings.TrimSpace(content) != want {
					t.Errorf("%s: %v, %q, want %q", name, err, content, want)
				}
			}
			if out, err := r.TryGit("rev-list", "--objects", ref); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestPrunedWorktreeIsKept guards: a worktree whose git directory was removed, as `git worktree prune` does where the link back to it is
// damaged, is connected again; its files are committed to a branch, and the branch of its task stays as it is.
func TestPrunedWorktreeIsKept(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	r, _, p := left(t, ref)
	was := r.Git("rev-parse", ref)
	if err := os.RemoveAll(r.Path(".git/worktrees/tree")); err != nil {
		t.Fatal(err)
	}
	reported := recoverAfterCut(t, r, p)
	if r.Git("rev-parse", ref) != was {
		t.Error("the branch of the task moved")
	}
	for name, want := range map[string]string{"committed": "of the agent 1", "staged": "of the agent 2", "new": "of the agent 3"} {
		if content, err := r.TryGit("show", branchPrefix+"a-left-1:"+name); err != nil || strings.TrimSpace(content) != want {
			t.Errorf("%s: %v, %q, want %q\n%s", name, err, content, want, reported)
		}
	}
}

// TestOtherWorktreesAreRepaired guards: a damaged worktree of one worker, with which git lists and makes no others, does not keep the
// next one from working; while its worker runs it is left to that.
func TestOtherWorktreesAreRepaired(t *testing.T) {
	for _, name := range []string{"commondir", "gitdir", ""} {
		r, _, _ := left(t, branchPrefix+"t-one.abcd")
		if err := os.RemoveAll(r.Path(".git/worktrees/tree/" + name)); err != nil {
			t.Fatal(err)
		}
		w := beside(t, r)
		held, err := w.dir.hold("tree")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.repairOthers(t.Context(), "next"); err != nil || r.Exists(".git/worktrees/tree/commondir") && name == "commondir" {
			t.Errorf("%q: repaired while its worker runs, %v", name, err)
		}
		if err := held.Release(); err != nil {
			t.Fatal(err)
		}
		if err := w.repairOthers(t.Context(), "next"); err != nil {
			t.Error(err)
		}
		r.Git("worktree", "add", "-q", "--detach", "../next")
		r.At("../tree").Git("rev-parse", "HEAD")
		r.Fsck()
	}
}

// TestForeignWorktreesStay guards: what is no worktree of the repository, or was never one, is not made one.
func TestForeignWorktreesStay(t *testing.T) {
	r, _, p := left(t, branchPrefix+"t-one.abcd")
	other := r.At("../other")
	r.Git("init", "-q", other.Dir)
	link := filepath.Join(p.st.Repo().Root(), ".git")
	if err := os.WriteFile(link, []byte("gitdir: "+other.Path(".git")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.WriteFile("../plain/file", "of the user\n")
	for _, path := range []string{other.Dir, filepath.Dir(link), r.Path("../none"), r.Path("../plain")} {
		if err := repairLinks(p.st.Repo(), path, func(text string) { t.Errorf("%s: %s", path, text) }); err != nil {
			t.Error(err)
		}
	}
	if r.Exists("../none") || r.Exists("../plain/.git") {
		t.Error("a worktree was made")
	}
}

// TestNextWorkerFreesBrokenClaims guards: a claim that a power cut left empty does not keep its task from the next worker; one that can
// be read, and a branch that is damaged and checked out nowhere, stay or are repaired.
func TestNextWorkerFreesBrokenClaims(t *testing.T) {
	const ref = branchPrefix + "t-two.abcd"
	r, _, p := left(t, branchPrefix+"t-one.abcd")
	r.Git("update-ref", "refs/ralph/claims/t-one", "main")
	r.Git("update-ref", "refs/ralph/claims/t-two", "main")
	r.Git("update-ref", ref, "main")
	want := r.Git("commit-tree", "-p", "main", "-m", "two", "main^{tree}")
	r.Git("update-ref", ref, want)
	cut(t, r.Path(".git/refs/ralph/claims/t-two"), empty)
	cut(t, r.Path(".git/"+ref), half)
	reported := recoverAfterCut(t, r, p)
	if !strings.Contains(reported, "removed a claim that is empty, as after a power cut: refs/ralph/claims/t-two") {
		t.Errorf("reported %q", reported)
	}
	if claims := r.Git("for-each-ref", "--format=%(refname)", "refs/ralph/claims"); claims != "refs/ralph/claims/t-one" {
		t.Errorf("claims %q, want that of t-one", claims)
	}
	r.Git("update-ref", "refs/ralph/claims/t-two", "main", strings.Repeat("0", len(want)))
	if tip := r.Git("rev-parse", ref); tip != want {
		t.Errorf("the branch is at %s, want %s", tip, want)
	}
}

// TestRepairLeavesReadable guards: where nothing is damaged, a worker that was killed has its index and its branch left as they are.
func TestRepairLeavesReadable(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	r, _, p := left(t, ref)
	before, index := r.Git("rev-parse", ref), r.At(p.st.Repo().Root()).Git("ls-files", "--stage")
	reported := ""
	err := p.repair(t.Context(), r.Git("rev-parse", "main"), func(text string) { reported += text })
	if removed := git.RemoveDamaged(p.st.Repo(), time.Time{}); err != nil || reported != "" || removed != nil {
		t.Errorf("%v, reported %q, removed %v", err, reported, removed)
	}
	if r.Git("rev-parse", ref) != before || r.At(p.st.Repo().Root()).Git("ls-files", "--stage") != index {
		t.Error("the branch or the index changed")
	}
}

// recoverAfterCut recovers a worktree as the next worker does, and returns what was reported.
func recoverAfterCut(t *testing.T, r *gittest.Repo, p *place) string {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{Dir: r.Dir, Environ: r.Env, Now: time.Now, Random: func(int) int { return 7 }})
	if err != nil {
		t.Fatal(err)
	}
	var reported reports
	w := &Worker{Store: st, Loop: loop.Config{Reporter: &reported, Now: time.Now}}
	w.target.tip = r.Git("rev-parse", "main")
	if err := w.repair(t.Context(), []git.EndedProcess{{}}); err != nil {
		t.Fatal(err)
	}
	if err := repairWorktree(t.Context(), st.Repo(), p.st.Repo().Root(), w.target.tip, w.reportKept); err != nil {
		t.Fatal(err)
	}
	if err := p.repair(t.Context(), w.target.tip, w.reportKept); err != nil {
		t.Fatal(err)
	}
	if err := p.leave(t.Context(), w.reportKept); err != nil {
		t.Fatal(err)
	}
	return strings.Join(reported, "\n")
}

type reports []string

func (r *reports) Report(e loop.Event) { *r = append(*r, e.Text) }

// cut changes a file as a power cut may.
func cut(t *testing.T, path string, damage func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		os.Chmod(path, 0o666) //nolint:errcheck // the test fails then
		err = os.WriteFile(path, damage(data), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func empty([]byte) []byte { return nil }

func half(data []byte) []byte { return data[:len(data)/2] }

func zeros(data []byte) []byte { return make([]byte, len(data)) }

func (r *reports) Progress(loop.Live) {}
