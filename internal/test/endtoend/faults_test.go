package endtoend

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A killer is a git that kills the program that started it: before or after
// the git command that a step needs.
func killer(t *testing.T, r *repo, command string, after bool) *repo {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	kill := `kill -9 "$PPID"; exit 1`
	script := fmt.Sprintf("#!/bin/sh\ncase \" $* \" in *' %s '*) %s;; esac\nexec %s \"$@\"\n", command, kill, real)
	if after {
		script = fmt.Sprintf("#!/bin/sh\ncase \" $* \" in *' %s '*) %s \"$@\"; %s;; esac\nexec %s \"$@\"\n", command, real, kill, real)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	killing := *r
	killing.Repo = r.Setenv("PATH", dir+string(os.PathListSeparator)+r.Getenv("PATH"))
	return &killing
}

// docs/promises.md, "A crash": killed at any git command of a transaction, the
// plan is the old one or the new one, perhaps not committed; no lock is left;
// the user's next commit works, and the next mutation takes along what was
// left.
func TestKilledAtEveryCommand(t *testing.T) {
	for _, command := range commandsOf(t) {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s after=%v", command, after), func(t *testing.T) {
				t.Parallel()
				r := newPlan(t)
				r.add("before")
				mess(r)
				before := r.State(planFile)
				old := r.ReadFile(planFile)
				out := killer(t, r, command, after).ralph("task", "add", "--id", "t-kill", "killed")
				if out.code == 0 {
					t.Fatalf("was not killed: %s", out.stdout)
				}
				afterCrash(t, r, old, before)
			})
		}
	}
}

// commandsOf returns the git commands that a mutation starts.
func commandsOf(t *testing.T) []string {
	t.Helper()
	r := newPlan(t)
	counted, counter := r.CountProcesses()
	withProgram(t, counted).add("counted")
	var commands []string
	for _, line := range counter.Started() {
		for _, word := range strings.Fields(line)[1:] {
			if word != "-c" && !strings.Contains(word, "=") { // not an option of git itself
				if strings.HasPrefix(line, "git ") {
					commands = append(commands, word)
				}
				break
			}
		}
	}
	if len(commands) < 2 {
		t.Fatalf("only %q were started", commands)
	}
	return commands
}

// Killed at random moments, many times over.
func TestKilledAtRandom(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("kills with a Unix signal")
	}
	r := newPlan(t)
	mess(r)
	before := r.State(planFile)
	for n := range 60 {
		old := r.ReadFile(planFile)
		cmd := exec.Command(filepath.Join(bin, "git-ralph"), "task", "add", "--id", fmt.Sprintf("t-kill%d", n), "killed")
		cmd.Dir, cmd.Env = r.Dir, r.Env
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(n) * 300 * time.Microsecond)
		cmd.Process.Kill()
		cmd.Wait()
		afterCrash(t, r, old, before)
	}
}

// afterCrash checks what a crash may leave, then goes on working.
func afterCrash(t *testing.T, r *repo, old string, before any) {
	t.Helper()
	lock := filepath.Join(r.Git("rev-parse", "--absolute-git-dir"), "index.lock")
	for wait := 0; ; wait++ { // the guard needs a moment to see that we are gone
		if _, err := os.Stat(lock); os.IsNotExist(err) && len(leftovers(t, r)) == 0 {
			break
		}
		if wait == 6000 {
			t.Fatalf("index.lock or %q is left", leftovers(t, r))
		}
		time.Sleep(10 * time.Millisecond)
	}
	if now := r.State(planFile); now != before {
		t.Fatalf("more than the plan changed:\n%+v\nwas\n%+v", now, before)
	}
	content := r.ReadFile(planFile)
	if content != old && !strings.HasPrefix(strings.Replace(content, "t-kill", "", 1), "{") {
		t.Fatalf("a half-written plan: %q", content)
	}
	r.must("check")
	r.Git("fsck", "--strict")
	staged := r.Git("diff", "--cached", "--", ":!"+planFile)
	r.add("after the crash")
	if now := r.Git("diff", "--cached", "--", ":!"+planFile); now != staged {
		t.Fatal("what was staged changed")
	}
	if !strings.Contains(r.Git("show", "HEAD:"+planFile), "after the crash") {
		t.Fatal("the next mutation is not committed")
	}
	if strings.Contains(content, "t-kill") != strings.Contains(r.Git("show", "HEAD:"+planFile), "t-kill") {
		t.Fatal("the next mutation did not take along what was left")
	}
	if strings.Contains(r.Git("log", "--format=%B"), "Ralph-Event: updated") {
		t.Fatal("what was left was taken for the user's edit")
	}
	planIsClean(t, r)
}

// leftovers are temporary files beside the plan and the index.
func leftovers(t *testing.T, r *repo) []string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"ralph/.*", ".git/index.*"} {
		names, err := filepath.Glob(r.Path(pattern))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, names...)
	}
	return found
}

// Another process holds index.lock: the mutation waits, then says so and
// changes nothing.
func TestIndexLocked(t *testing.T) {
	r := newPlan(t)
	r.Git("config", "ralph.lockTimeout", "300ms")
	old := r.ReadFile(planFile)
	r.WriteFile(".git/index.lock", "")
	out := r.ralph("task", "add", "locked out")
	if out.code != 4 || !strings.Contains(out.stderr, "index.lock") {
		t.Errorf("exit %d: %s", out.code, out.stderr)
	}
	if r.ReadFile(planFile) != old || !r.Exists(".git/index.lock") {
		t.Error("something changed")
	}
	r.Remove(".git/index.lock")
	r.add("let in")
}

// A directory that cannot be written: a clear error, and nothing changes.
func TestReadOnlyDirectory(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not bind this user")
	}
	r := newPlan(t)
	old := r.ReadFile(planFile)
	if err := os.Chmod(r.Path("ralph"), 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(r.Path("ralph"), 0o777)
	out := r.ralph("task", "add", "nowhere")
	if out.code != 1 || !strings.Contains(out.stderr, "permission denied") {
		t.Errorf("exit %d: %s", out.code, out.stderr)
	}
	if r.ReadFile(planFile) != old {
		t.Error("the plan changed")
	}
	clean(t, r)
}

// The disk is full: a clear error, the old plan, nothing staged, and the next
// mutation works once there is room. A limit on the size of files stands for
// the disk, at every size that a transaction's writes have.
func TestDiskFull(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash for its ulimit -f")
	}
	r := newPlan(t)
	r.must("task", "add", strings.Repeat("a long name ", 800))
	for _, blocks := range []string{"0", "1", "4", "8"} {
		old, tip := r.ReadFile(planFile), r.Git("rev-parse", "HEAD")
		cmd := exec.Command(bash, "-c", "ulimit -f "+blocks+"; exec git-ralph task add full")
		cmd.Dir, cmd.Env = r.Dir, r.Env
		out, err := cmd.CombinedOutput()
		if err == nil && blocks != "8" {
			t.Fatalf("ulimit -f %s: no error: %s", blocks, out)
		}
		if err == nil {
			continue
		}
		if !strings.Contains(string(out), "git-ralph: error: ") || strings.Contains(string(out), "goroutine") {
			t.Errorf("ulimit -f %s: %s", blocks, out)
		}
		if r.ReadFile(planFile) != old || r.Git("rev-parse", "HEAD") != tip {
			t.Errorf("ulimit -f %s: something changed", blocks)
		}
		clean(t, r)
		r.Git("fsck", "--strict")
	}
	r.add("room again")
}
