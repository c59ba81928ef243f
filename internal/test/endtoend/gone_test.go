package endtoend

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// In a linked worktree whose repository is gone, and in a directory that was deleted, history commands say so (docs/history.md,
// "Missing objects").
func TestHistoryOfWhatIsGone(t *testing.T) {
	r := newPlan(t)
	r.Git("worktree", "add", "-q", "../linked")
	linked := withProgram(t, r.At("../linked"))
	if err := os.Rename(r.Dir, r.Dir+"-elsewhere"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"log"}, {"log", "--all", "--format", "text"}, {"show", "t-1"}} {
		out := linked.ralph(args...)
		if out.code != 1 || out.stdout != "" || !strings.Contains(out.stderr, "the git directory does not exist: ") || !strings.Contains(out.stderr, "git worktree repair") {
			t.Errorf("%v: %+v", args, out)
		}
	}
	if err := os.Rename(r.Dir+"-elsewhere", r.Dir); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return // which deletes no directory that is used
	}
	if out, err := r.Run("sh", "-c", "mkdir deleted && cd deleted && rmdir ../deleted && git-ralph log 2>&1"); err == nil || !strings.Contains(out, "git-ralph: error: the current directory was deleted") {
		t.Errorf("%v %s", err, out)
	}
}
