//go:build unix

package main

import (
	"os"
	"strings"
	"testing"
)

// slowRebase is a hook that stops a rebase in its middle, for longer than a test takes.
const slowRebase = "#!/bin/sh\n[ -d .git/rebase-merge ] || exit 0\necho $$ >../rebasing\nexec sleep 1000\n"

// TestKilledWhilePushing guards: a rebase that is broken off together with the loop shows a plan in which accepted work is
// still to be done. The next run ends what is left of it and takes it back first; what lies beside it is not given up.
func TestKilledWhilePushing(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, "BUILD\n  report {\"verdict\": \"done\"}\nVERIFY\n  run cd ../other && echo x >theirs && git add theirs && "+
		"git -c user.name=o -c user.email=o@example.com commit -qm theirs && git push -q\n  pass\n", "one")
	w.Git("init", "-q", "--bare", "-b", "main", "../central")
	w.Git("remote", "add", "origin", "../central")
	w.Git("push", "-q", "-u", "origin", "HEAD:main")
	w.Git("clone", "-q", "../central", "../other")
	w.WriteFile(".git/hooks/post-commit", slowRebase)
	if err := os.Chmod(w.Dir+"/.git/hooks/post-commit", 0o777); err != nil {
		t.Fatal(err)
	}
	b := w.build("--push")
	pid := w.await("rebasing")
	b.Process.Kill()
	b.Wait() //nolint:errcheck // killed
	w.WriteFile("ralph/specs/s.md", "changed in the middle of it\n")
	if out, err := w.command("build").CombinedOutput(); err == nil || !strings.Contains(string(out), "hint: `git rebase --abort`") {
		t.Errorf("%v: %s", err, out)
	}
	w.Git("checkout", "-q", "ralph/specs/s.md")
	out, _ := w.command("build").CombinedOutput()
	for _, want := range []string{"warning: aborted a rebase that a killed run had begun", "nothing to do: the plan is complete"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if running(pid) {
		t.Errorf("process %d of the rebase lives", pid)
	}
	if got := w.Git("log", "--format=%s", "-1"); !strings.HasPrefix(got, "ralph: accept t-one") {
		t.Errorf("HEAD is at %s", got)
	}
	if got := w.Git("status", "--porcelain"); got != "" {
		t.Errorf("left %s", got)
	}
	w.reported("done t-one", "accepted t-one")
	w.noLocks()
}
