//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"git-ralph/internal/journal"
	"git-ralph/internal/test/gittest"
)

// output is what a process prints, for reading while it runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// await waits until a worker has printed something.
func (o *output) await(t *testing.T, want string) {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("printed:\n%s", o)
		}
	})
	gittest.Await(t, want, func() bool { return strings.Contains(o.String(), want) })
}

const buildsAtOnce = "always BUILD\n  write {id}.txt {id}\n  report {\"verdict\": \"done\", \"files\": [\"{id}.txt\"]}\n"

// TestWaitingWorkerWakes guards: a worker that waits takes a task as soon as it is free, whatever makes it so: a person who adds one
// or finishes what it depends on, a claim that is released, or a worker that is killed. An interrupt ends it.
func TestWaitingWorkerWakes(t *testing.T) {
	t.Parallel()
	w := userAtWork{newWorkshop(t, buildsAtOnce, "first")}
	w.ralph("task", "add", "second", "--id", "t-second", "--dep", "t-first")
	w.ralph("claim", "t-first")
	w.Env = append(w.Env, "GIT_RALPH_TEAM=run/worker-1.1") // whoever reviews will come, as long as the team's run goes on
	team, err := journal.Of(w.Path(".git")).Hold("git ralph team run")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { team.Release() }) //nolint:errcheck // the end of the test does it, too
	var out output
	cmd := w.command("work", "--wait")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	out.await(t, "run worker-1")
	w.ralph("task", "done", "t-first")
	out.await(t, "landed t-second")
	w.ralph("task", "add", "third", "--id", "t-third")
	out.await(t, "landed t-third")
	w.ralph("task", "reject", "t-third", "again")
	w.ralph("task", "accept", "t-first", "t-second")
	out.await(t, "claimed t-third third on ")
	gittest.Await(t, "a second landing", func() bool { return strings.Count(out.String(), "landed t-third") >= 2 })
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait() //nolint:errcheck // its code is what counts
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &out)
	}
}

// TestWaitingWorkerEnds guards: a worker that waits ends when its tasks are done and nobody runs who would verify them.
func TestWaitingWorkerEnds(t *testing.T) {
	t.Parallel()
	w := userAtWork{newWorkshop(t, buildsAtOnce, "first")}
	if out := w.ralph("work", "--wait"); !strings.Contains(out, "goal reached: no task is left for the role builder") {
		t.Error(out)
	}
}

// TestWaitingWorkerWithoutOthers guards: a worker does not wait for a role that nobody runs, and names it with the tasks. It waits while
// somebody has a claim, or works in that role.
func TestWaitingWorkerWithoutOthers(t *testing.T) {
	t.Parallel()
	w := userAtWork{newWorkshop(t, buildsAtOnce, "first")}
	w.ralph("task", "add", "look", "--id", "t-look", "--role", "analyst")
	w.ralph("task", "add", "second", "--id", "t-second", "--dep", "t-look")
	cmd := w.command("work", "--wait")
	out, _ := cmd.CombinedOutput() //nolint:errcheck // its code is what counts
	if want := "no worker that runs takes what is left: t-look (role analyst)"; cmd.ProcessState.ExitCode() != 7 || !strings.Contains(string(out), want) {
		t.Errorf("exit code %d, want 7 and %q\n%s", cmd.ProcessState.ExitCode(), want, out)
	}

	w.ralph("claim", "t-look")
	var builder, anna output
	waits := w.command("work", "--wait")
	waits.Stdout, waits.Stderr = &builder, &builder
	takes := w.command("work", "--wait", "--worker", "anna", "--role", "analyst")
	takes.Stdout, takes.Stderr = &anna, &anna
	for _, cmd := range []*exec.Cmd{waits, takes} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
	}
	builder.await(t, "run worker-1")
	anna.await(t, "run anna")
	w.ralph("unclaim", "t-look")
	// Either of the two lands it: whoever holds the lock of landing takes what is ready.
	gittest.Await(t, "the landing of t-second", func() bool { return strings.Contains(w.Git("log", "--format=%B", "main"), "Ralph-Landed: t-second") })
	waits.Wait() //nolint:errcheck // its code is what counts
	if code := waits.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d\n%s", code, &builder)
	}
}

// TestLostClaimStopsAgent guards: when somebody takes a task from a worker by force, its agent is stopped with the next renewal, its
// commits and files stay on its branch, and it does not land.
func TestLostClaimStopsAgent(t *testing.T) {
	t.Parallel()
	w := userAtWork{newWorkshop(t, "BUILD\n  write half half\n  run touch \"$STARTED\"; sleep 600\n", "one")}
	w.Env = append(w.Env, "STARTED="+w.Path("../started"))
	w.Git("config", "ralph.claims.lease", "3s")
	var out output
	cmd := w.command("work", "--once")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	gittest.Await(t, "the agent's start", func() bool { return w.Exists("../started") })
	w.ralph("claim", "steal", "t-one", "--force")
	cmd.Wait() //nolint:errcheck // its code is what counts
	if code := cmd.ProcessState.ExitCode(); code != 7 || !strings.Contains(out.String(), "released t-one one: somebody else has the claim; the commits stay on ralph-work/t-one.") {
		t.Errorf("exit code %d\n%s", code, &out)
	}
	if claims := w.ralph("claim", "list", "--json"); !strings.Contains(claims, `"own": true`) {
		t.Errorf("the claim is not ours: %s", claims)
	}
	if got := w.Git("log", "--branches=ralph-work/*", "--format=%s", "-1", "--", "half"); !strings.HasPrefix(got, "ralph: keep") {
		t.Errorf("half is in %q\n%s", got, &out)
	}
}

// TestClaimIsRenewedBeforeTheAgent guards: a worker keeps its claim while it sets up its worktree, however long that takes.
func TestClaimIsRenewedBeforeTheAgent(t *testing.T) {
	t.Parallel()
	w := userAtWork{newWorkshop(t, buildsAtOnce, "one")}
	w.Git("config", "ralph.claims.lease", "3s")
	w.WriteFile("../setup", `for i in $(seq 100); do
		git cat-file -p refs/ralph/claims/t-one | grep -q '"renewals": [1-9]' && exit
		sleep 0.2
	done
	exit 1`)
	w.Git("config", "ralph.worktree.setup", "sh "+w.Path("../setup"))
	if out := w.ralph("work", "--once"); !strings.Contains(out, "landed t-one") {
		t.Error(out)
	}
}

// TestAgentWithoutWorker guards: nobody takes the task of an agent whose worker was killed while it goes on; the next worker of that
// name ends it, keeps what it wrote, and does the task.
func TestAgentWithoutWorker(t *testing.T) {
	t.Parallel()
	w := userAtWork{newWorkshop(t, "BUILD\n  write half half\n  run touch \"$STARTED\"; sleep 600\n"+buildsAtOnce, "one")}
	w.Env = append(w.Env, "STARTED="+w.Path("../started"))
	cmd := w.command("work", "--worker", "a")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	gittest.Await(t, "the agent's start", func() bool { return w.Exists("../started") })
	syscall.Kill(cmd.Process.Pid, syscall.SIGKILL)
	cmd.Wait() //nolint:errcheck // it was killed
	other, err := w.command("work", "--worker", "b").CombinedOutput()
	if err == nil || !strings.Contains(string(other), "others work on all that is left") {
		t.Errorf("%v\n%s", err, other)
	}
	out := w.ralph("work", "--worker", "a")
	for _, want := range []string{"ended a process that a killed worker had left behind", "committed what was uncommitted in the worktree of a to ralph-work/t-one.", "landed t-one"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if w.Git("show", "main:half") != "half" {
		t.Error("half is lost")
	}
}
