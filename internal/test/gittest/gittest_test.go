package gittest_test

import (
	"testing"

	"git-ralph/internal/test/gittest"
)

// The fixture must not see the machine's own configuration.
func TestIsolated(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{"a b/ü": "x\n"})
	if got := r.Git("log", "-1", "--format=%an <%ae> %s"); got != "A U Thor <author@example.com> first" {
		t.Error(got)
	}
	if out, err := r.TryGit("config", "credential.helper"); err == nil {
		t.Errorf("system configuration is seen: %s", out)
	}
	r.Fsck()
}

func TestCounter(t *testing.T) {
	r, count := gittest.NewRepo(t).CountProcesses()
	if got := count.Started(); got != nil {
		t.Errorf("counted %v before anything ran", got)
	}
	r.Git("rev-parse", "--git-dir")
	if got := count.Started(); len(got) != 1 || got[0] != "git rev-parse --git-dir" {
		t.Errorf("counted %v", got)
	}
}
