package work

import (
	"os"
	"path/filepath"
	"testing"
)

// TestKilledBetweenCommitAndReset guards: a worker that was killed when what is uncommitted was on the branch, and not in the index yet,
// leaves a worktree that the next one makes clean. Else files of that branch get in the way of every later one.
func TestKilledBetweenCommitAndReset(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	r, _, p := left(t, ref)
	agent := r.At(p.st.Repo().Root())
	agent.Git("add", ".")
	agent.Git("commit", "-qm", "all")
	agent.Git("read-tree", "HEAD~1")
	kept := r.Git("rev-parse", ref)
	if err := p.leave(t.Context(), func(text string) { t.Error(text) }); err != nil {
		t.Fatal(err)
	}
	if got := agent.Git("status", "--porcelain"); got != "" {
		t.Errorf("left %s", got)
	}
	if got := r.Git("rev-parse", ref); got != kept {
		t.Errorf("the branch moved from %s to %s", kept, got)
	}
}

// TestLeftLockOfAWorker guards: the lock of the index that a killed git, or a mutation that was killed with its guard, has left in the
// worktree of a worker keeps nobody who takes its task over from what it left.
func TestLeftLockOfAWorker(t *testing.T) {
	for _, content := range []string{"", "git-ralph 1 abc\n"} {
		r, _, p := left(t, branchPrefix+"t-one.abcd")
		w := beside(t, r)
		lock := p.st.Repo().IndexPath() + ".lock"
		for _, path := range []string{lock, filepath.Join(w.dir.notes, "tree.running")} {
			if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.recoverPlace(t.Context(), "tree"); err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		if got := r.At(p.st.Repo().Root()).Git("status", "--porcelain"); got != "" {
			t.Errorf("%q: left %s", content, got)
		}
		if _, err := os.Lstat(lock); err == nil {
			t.Errorf("%q: the lock is left", content)
		}
	}
}

// TestKilledWhileItKept guards: a worker that was killed while git added what is uncommitted keeps none of the next ones from keeping it. Else
// the lock of that git stopped every later worker of this name.
func TestKilledWhileItKept(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	r, _, p := left(t, ref)
	for _, name := range []string{"ralph-keep.index", "ralph-keep.index.lock"} {
		if err := os.WriteFile(filepath.Join(p.st.Repo().GitDir(), name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.leave(t.Context(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	if got := r.At(p.st.Repo().Root()).Git("status", "--porcelain"); got != "" {
		t.Errorf("left %s", got)
	}
}
