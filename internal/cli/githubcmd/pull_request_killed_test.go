//go:build unix

package githubcmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"git-ralph/internal/test/githubserver"
)

// killer is a git that kills who runs it, before or after one of its runs, counted from 1 in a file.
const killer = `#!/bin/sh
PATH=${PATH#*:}
n=$(cat "$KILLER_DIR/n" 2>/dev/null)
n=$((n + 1))
echo $n >"$KILLER_DIR/n"
if [ "$n" = "$KILLER_BEFORE" ]; then kill -9 $PPID; exit 1; fi
git "$@"
code=$?
if [ "$n" = "$KILLER_AFTER" ]; then kill -9 $PPID; fi
exit $code
`

// A killing is a process that is killed at one moment of the way of code from a branch to the default branch.
type killing struct {
	when string // BEFORE or AFTER a run of git, or AT a request
	at   int
}

// run lands the code and merges it, in processes of which one is killed, and reports whether that moment came.
func (k killing) run(t *testing.T, setup func(*puller)) (came bool) {
	p := implemented(t)
	setup(p)
	bin, u := t.TempDir(), newUser(t) // for its programs
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(killer), 0o755); err != nil {
		t.Fatal(err)
	}
	quiet := p.Repo
	p.Repo = p.Setenv("PATH", bin+":"+u.Getenv("PATH")).Setenv("KILLER_DIR", bin).Setenv("KILLER_"+k.when, strconv.Itoa(k.at))
	var running *exec.Cmd
	p.server.FailOnce(k.at, githubserver.None, func() {
		if k.when == "AT" {
			running.Process.Kill() //nolint:errcheck // it waits for the reply
			came = true
		}
	})
	said := ""
	run := func(args ...string) int {
		c := exec.Command(filepath.Join(strings.SplitN(u.Getenv("PATH"), ":", 2)[0], "git-ralph"), args...)
		c.Dir, c.Env, running = p.Dir, p.Env, c
		out, _ := c.CombinedOutput() //nolint:errcheck // its exit code says it
		said += fmt.Sprintf("%q: %s\n%s", args, c.ProcessState, out)
		return c.ProcessState.ExitCode()
	}
	again := func(end func(code int) bool, args ...string) {
		for try := 0; ; try++ {
			switch code := run(args...); {
			case end(code):
				return
			case code == -1 && !came:
				came = true
			case try == 5:
				t.Fatalf("%v: it does not come to an end: %s\n%s", k, said, p.plan())
			}
		}
	}
	again(func(code int) bool {
		return code == 0 || code == 1 && strings.Contains(p.plan(), "code_commit")
	}, "land", "work") // it has landed before
	again(func(code int) bool { return code == 3 }, "github", "pr", "advance")
	shared := p.Git("for-each-ref", "refs/remotes/origin/plan") != ""
	if came && !shared {
		run("doctor", "--fix") // as the next landing does, it makes good what a landing that was killed leaves in the worktree
	}
	if p.Repo = quiet; shared { // the remote's branch counts; killed after its push, a landing leaves the local one behind
		p.Git("fetch", "-q", "origin")
		p.Git("reset", "-q", "--hard", "origin/plan")
	}
	if plan := p.plan(); len(p.server.Pulls) != 1 || !p.server.Pulls[0].Merged || strings.Contains(plan, `"t": "task"`) || strings.Count(plan, `"t": "issue"`) != 1 ||
		strings.Count(plan, `"state": "Done"`) != 2 || p.ReadFile("lex.txt") != "one\ntwo\n" || p.Git("rev-list", "--count", "--merges", "origin/main") != "1" || p.Git("status", "--porcelain") != "" {
		t.Errorf("%v: %d pull requests, %s\n%s\n%s", k, len(p.server.Pulls), p.Git("status", "--porcelain"), plan, said)
	}
	p.Fsck()
	return came
}

// TestKilledPullRequests guards: whenever a process is killed that lands an Implement, opens its pull request, merges it, or lands the base, it
// all comes to the same end: one pull request, one merge, one plan. Each step is killed where GIT_RALPH_PULL_KILLS is set.
func TestKilledPullRequests(t *testing.T) {
	t.Parallel()
	none := func(*puller) {}
	if os.Getenv("GIT_RALPH_PULL_KILLS") == "" {
		for _, k := range []killing{{"AT", 2}, {"BEFORE", 20}} {
			if !k.run(t, none) {
				t.Errorf("%v: nothing was killed", k)
			}
		}
		return
	}
	killed := 0 // with claims at the remote, that of a killed landing has to run out first: so the branch has landed
	for _, setup := range []func(*puller){none, func(p *puller) { withClaims(p); p.must(0, "land", "work") }} {
		for _, when := range []string{"AT", "BEFORE", "AFTER"} {
			first := 1
			if when == "AT" {
				first = 0
			}
			for at := first; (killing{when, at}).run(t, setup); at++ {
				killed++
			}
		}
	}
	t.Logf("%d moments", killed)
}
