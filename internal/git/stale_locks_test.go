//go:build linux

package git_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

// TestStaleLocksOfABusyRepository guards: what a killed git left is removed although others begin and end all the time, which never
// made it.
func TestStaleLocksOfABusyRepository(t *testing.T) {
	t.Parallel()
	r := gittest.NewRepo(t)
	repo := opened(t, r)
	if err := os.Symlink("/bin/sh", r.Path("../git")); err != nil {
		t.Fatal(err)
	}
	r.WriteFile(".git/packed-refs.lock", "")
	removed := make(chan []string)
	end := startGit(t, r)
	go func() { removed <- git.RemoveStaleLocks(repo, git.EndedProcess{Began: time.Now()}) }()
	for {
		next := startGit(t, r)
		end()
		end = next
		select {
		case got := <-removed:
			end()
			if len(got) != 1 {
				t.Errorf("removed %q", got)
			}
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// startGit starts a git that works in a repository until it is ended.
func startGit(t *testing.T, r *gittest.Repo) (end func()) {
	t.Helper()
	cmd := exec.Command(r.Path("../git"))
	cmd.Args = []string{"sh", "-c", "read line"}
	cmd.Dir = r.Dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		in.Close()
		cmd.Wait() //nolint:errcheck // it reads no line
	}
}
