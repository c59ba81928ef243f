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

// TestHookWhereTheDirectoryIsGone guards: an agent's hook never fails, and answers for the session's own directory, also where it was
// started in a directory that was deleted.
func TestHookWhereTheDirectoryIsGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it deletes no directory that is used")
	}
	r := newPlan(t)
	const gone = "mkdir deleted && cd deleted && rmdir ../deleted && "
	for stdin, want := range map[string]string{
		`{"session_id": "s"}`:                                               "",
		`{"session_id": "s", "cwd": "` + r.Dir + `"}`:                       "The plan of this repository",
		`{"session_id": "s", "cwd": "` + r.Dir + `/deleted", "source": ""}`: "",
	} {
		out, err := r.Run("sh", "-c", gone+"printf %s '"+stdin+"' | git-ralph agent hook claude SessionStart 2>&1")
		if err != nil || !strings.Contains(out, want) || want == "" && out != "" {
			t.Errorf("%s: %v %s", stdin, err, out)
		}
	}
}
