//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/test/gittest"
)

// A workshop is a repository with a plan and a scripted agent, and a directory beside it for what they leave.
type workshop struct {
	*gittest.Repo
	t       *testing.T
	out     string   // directory beside the repository
	planned []string // the events of newWorkshop, until a test has compared them
}

func newWorkshop(t *testing.T, scenario string, tasks ...string) *workshop {
	t.Helper()
	r := gittest.NewRepo(t)
	w := &workshop{Repo: r, t: t, out: filepath.Dir(r.Dir), planned: []string{"spec"}}
	bin := filepath.Join(w.out, "bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"git-ralph", "scripted-agent"} { // the test binary is each of them, by its name
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	r.Env = append(r.Env, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	r.WriteFile("../scenario", scenario)
	r.WriteFile("ralph/specs/s.md", "spec\n")
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "first")
	r.Git("config", "ralph.agent", "scripted-agent '"+filepath.Join(w.out, "scenario")+"'")
	r.Git("config", "ralph.grace", "200ms")
	w.ralph("init", "--spec", "s.md", "--yes")
	for _, task := range tasks {
		w.ralph("task", "add", task, "--id", "t-"+task)
		w.planned = append(w.planned, "added t-"+task)
	}
	return w
}

func (w *workshop) command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(w.out, "bin", "git-ralph"), args...)
	cmd.Dir, cmd.Env = w.Dir, w.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// ralph runs a command that must succeed.
func (w *workshop) ralph(args ...string) string {
	w.t.Helper()
	out, err := w.command(args...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("git ralph %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// reported is as in scripts; what newWorkshop did is reported the first time, and expected.
func (w *workshop) reported(want ...string) {
	w.t.Helper()
	want = append(w.planned, want...)
	w.planned = nil
	log := w.ralph("log", "--all", "--reverse", "--format", "text")
	if err := compareTold(filepath.Join(w.out, ".told"), log, want); err != nil {
		w.t.Error(err)
	}
}

// A build is a `git ralph build`, or another run of agents, under way.
type build struct {
	*exec.Cmd
	out output
}

// interruptOnce presses Ctrl-C, and returns when the run has said that it ends after the iteration, and another one is another key press.
func (b *build) interruptOnce(t *testing.T) {
	t.Helper()
	b.Process.Signal(os.Interrupt)
	b.out.await(t, "stopping after this iteration")
	time.Sleep(oneKeyPress)
}

func (w *workshop) build(args ...string) *build {
	w.t.Helper()
	return w.start(append([]string{"build"}, args...)...)
}

func (w *workshop) start(args ...string) *build {
	w.t.Helper()
	b := &build{Cmd: w.command(args...)}
	b.Stdout, b.Stderr = &b.out, &b.out
	if err := b.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { b.Process.Kill() })
	return b
}

// await waits for a file beside the repository, and gives the number in it.
func (w *workshop) await(name string) int {
	w.t.Helper()
	number, _ := strconv.Atoi(awaitFile(w.t, filepath.Join(w.out, name))) //nolint:errcheck // some are words
	return number
}

func (b *build) code() int {
	b.Wait() //nolint:errcheck // the code says it
	return b.ProcessState.ExitCode()
}

func running(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return syscall.Kill(pid, 0) == nil && (err != nil || !strings.Contains(string(stat), ") Z "))
}

const slow = `BUILD t-one
  run echo $PPID >../agent
  run while [ ! -e ../go ]; do sleep 0.02; done
  write one.txt one
  report {"verdict": "done", "files": ["one.txt"]}
BUILD t-two
  report {"verdict": "done"}
VERIFY
  pass
`

// TestOneInterruptFinishesTheIteration guards: Ctrl-C once ends the run after the iteration, whose work is kept.
func TestOneInterruptFinishesTheIteration(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, slow, "one", "two")
	b := w.build()
	w.await("agent")
	b.interruptOnce(t)
	w.WriteFile("../go", "")
	if code := b.code(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if got := w.Git("status", "--porcelain"); got != "" {
		t.Errorf("left %s", got)
	}
	if got := w.ralph("query", "next"); !strings.Contains(got, "t-two") {
		t.Errorf("next is %s", got)
	}
	w.reported("done t-one")
	if code := w.build().code(); code != 0 {
		t.Errorf("the next run does not go on: %d", code)
	}
	w.reported("done t-two", "accepted t-one", "accepted t-two")
}

// TestOneKeyIsOneInterrupt guards: a Ctrl-C reaches git and us, and git passes its own on; that counts once.
func TestOneKeyIsOneInterrupt(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, slow, "one", "two")
	b := &build{Cmd: exec.Command("git", "ralph", "build")}
	b.Dir, b.Env, b.Stdout, b.Stderr = w.Dir, w.Env, &b.out, &b.out
	b.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	b.Path = gitProgram(t)
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	w.await("agent")
	syscall.Kill(-b.Process.Pid, syscall.SIGINT)
	time.Sleep(100 * time.Millisecond)
	w.WriteFile("../go", "")
	b.Wait() //nolint:errcheck // git ends by the signal
	if !strings.Contains(b.out.String(), "done t-one") {
		t.Errorf("the iteration was not finished:\n%s", &b.out)
	}
	w.reported("done t-one")
}

func gitProgram(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTwoInterruptsStopNow guards: Ctrl-C twice ends agent and run at once, and nothing is half applied.
func TestTwoInterruptsStopNow(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, slow, "one", "two")
	before := w.Git("rev-parse", "HEAD")
	b := w.build()
	agent := w.await("agent")
	b.interruptOnce(t)
	b.Process.Signal(os.Interrupt)
	if code := b.code(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if running(agent) {
		t.Error("the agent lives")
	}
	if after := w.Git("rev-parse", "HEAD"); after != before {
		t.Error("something was committed")
	}
	if got := w.ralph("query", "next"); !strings.Contains(got, "t-one") || strings.Contains(got, "kill") {
		t.Errorf("next is %s", got)
	}
	w.reported()
}

// TestReaderThatEndsIsOneInterrupt guards: where the program that reads the output is gone, as tee is after a Ctrl-C, the
// iteration is finished all the same, and no agent is left.
func TestReaderThatEndsIsOneInterrupt(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, slow, "one", "two")
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	b := &build{Cmd: w.command("build")}
	b.Stdout, b.Stderr = out, &b.out
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Process.Kill() })
	out.Close()
	agent := w.await("agent")
	in.Close()
	b.Process.Signal(os.Interrupt)
	time.Sleep(200 * time.Millisecond) // it reports that it is about to stop
	w.WriteFile("../go", "")
	if code := b.code(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if running(agent) {
		t.Error("the agent lives")
	}
	if got := w.ralph("query", "next"); !strings.Contains(got, "t-two") {
		t.Errorf("next is %s", got)
	}
	w.reported("done t-one")
}

// TestInterruptDuringCommit guards: a first Ctrl-C finishes the iteration, also while git commits and runs a hook.
func TestInterruptDuringCommit(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, "BUILD\n  write tracked changed\n  report {\"verdict\": \"done\"}\n", "one", "two")
	w.WriteFile("tracked", "text\n")
	w.Git("add", "tracked")
	w.Git("commit", "-q", "-m", "tracked")
	w.WriteFile(".git/hooks/pre-commit", "#!/bin/sh\n[ -e ../hook ] && exit 0\necho $$ >../hook\nwhile [ ! -e ../go ]; do sleep 0.02; done\n")
	if err := os.Chmod(filepath.Join(w.Dir, ".git/hooks/pre-commit"), 0o777); err != nil {
		t.Fatal(err)
	}
	b := w.build()
	w.await("hook")
	syscall.Kill(-b.Process.Pid, syscall.SIGINT)
	time.Sleep(50 * time.Millisecond)
	w.WriteFile("../go", "")
	if code := b.code(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if got := w.ralph("query", "next"); !strings.Contains(got, "t-two") {
		t.Errorf("next is %s", got)
	}
	if got := w.Git("status", "--porcelain"); got != "" {
		t.Errorf("left %s", got)
	}
	w.reported("done t-one")
}

// TestOneLoopAWorktree guards: a second build says who runs and touches nothing; another worktree has a loop of its own.
func TestOneLoopAWorktree(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, slow, "one", "two")
	b := w.build()
	agent := w.await("agent")
	second := w.build()
	if code := second.code(); code != 4 || !strings.Contains(second.out.String(), "process "+strconv.Itoa(b.Process.Pid)+" (git ralph build)") {
		t.Errorf("exit code %d\n%s", code, &second.out)
	}
	w.WriteFile("other.md", "")
	head := w.Git("rev-parse", "HEAD")
	if err := w.command("plan", "other.md", "--cancel").Run(); err == nil || w.Git("rev-parse", "HEAD") != head {
		t.Errorf("a spec was planned beside the run: %v", err)
	}
	w.Remove("other.md")
	if !running(agent) {
		t.Error("the agent of the first run was ended")
	}
	w.Git("worktree", "add", "-q", "../other")
	other := w.command("-C", "../other", "build", "--once", "--agent", "true")
	if out, err := other.CombinedOutput(); other.ProcessState.ExitCode() != 7 { // no progress
		t.Errorf("in another worktree: %v\n%s", err, out)
	}
	w.reported()
	w.WriteFile("../go", "")
	if code := b.code(); code != 0 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	w.reported("done t-one", "done t-two", "accepted t-one", "accepted t-two")
}

// TestKilledLoopLeavesNothingForLong guards: after a SIGKILL the next command ends what is left, and the run goes on.
func TestKilledLoopLeavesNothingForLong(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells who belongs to a run")
	}
	w := newWorkshop(t, "BUILD\n  stubborn\n  run setsid sh -c 'echo $$ >../away; exec sleep 1000' & echo $PPID >../agent\n  sleep 60s\n"+slow, "one", "two")
	b := w.build()
	agent, away := w.await("agent"), w.await("away")
	b.Process.Kill()
	b.Wait() //nolint:errcheck // killed
	if !running(agent) || !running(away) {
		t.Fatal("they ended by themselves")
	}
	w.WriteFile("../go", "")
	out := w.ralph("build")
	if running(agent) || running(away) {
		t.Error("they are left")
	}
	if !strings.Contains(out, "ended an agent that a killed run had left behind") || !strings.Contains(out, "complete") {
		t.Errorf("%s", out)
	}
	w.reported("done t-one", "done t-two", "accepted t-one", "accepted t-two")
}

// TestCrashBetweenCodeAndPlan guards: a loop that is killed while git commits leaves a plan that says done and the code
// beside it; the next one commits both together.
func TestCrashBetweenCodeAndPlan(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the hook looks for the loop in /proc")
	}
	w := newWorkshop(t, "always BUILD\n  write {id}.txt {id}\n  report {\"verdict\": \"done\", \"files\": [\"{id}.txt\"]}\nVERIFY\n  pass\n", "one")
	w.WriteFile(".git/hooks/pre-commit", "#!/bin/sh\nkill -9 $(cut -d' ' -f4 /proc/$PPID/stat)\nexit 1\n")
	if err := os.Chmod(w.Path(".git/hooks/pre-commit"), 0o777); err != nil {
		t.Fatal(err)
	}
	if code := w.build().code(); code != -1 {
		t.Fatalf("it was not killed: %d", code)
	}
	w.Remove(".git/hooks/pre-commit")
	gittest.Await(t, "the end of git", func() bool { return !w.Exists(".git/index.lock") })
	b := w.build("--commit-plan")
	if code := b.code(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.out)
	}
	if got := w.Git("show", "--format=%s", "--name-only", "HEAD^"); got != "one\n\nralph/plan.jsonl\nt-one.txt" {
		t.Errorf("committed %q", got)
	}
	if got := w.Git("status", "--porcelain"); got != "" || w.Exists(".git/ralph/commit.json") {
		t.Errorf("left %s", got)
	}
	w.reported("done t-one", "accepted t-one")
}

// TestFloodIsBounded guards: an agent that prints without end costs neither memory nor disk without end.
func TestFloodIsBounded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("prints much")
	}
	w := newWorkshop(t, "BUILD\n  flood 256\n  report {\"verdict\": \"done\"}\n", "one")
	b := w.build("--once")
	if code := b.code(); code != 0 || !strings.Contains(b.out.String(), "done t-one") {
		t.Fatalf("exit code %d\n%s", code, &b.out)
	}
	const most = 100 << 10 // KiB
	if usage := b.ProcessState.SysUsage().(*syscall.Rusage); runtime.GOOS == "linux" && usage.Maxrss > most {
		t.Errorf("%d KiB of memory", usage.Maxrss)
	}
	logs, _ := filepath.Glob(filepath.Join(w.Dir, ".git/ralph/runs/*/1.log"))
	info, err := os.Stat(logs[0])
	if err != nil || info.Size() > 80<<20 {
		t.Errorf("the log has %d bytes", info.Size())
	}
	data, _ := os.ReadFile(logs[0])
	if !bytes.Contains(data, []byte("bytes left out]")) || !bytes.HasSuffix(data, []byte("[/RALPH_OUTPUT]\n")) {
		t.Error("the log does not end as the output did")
	}
	w.reported("done t-one")
}
