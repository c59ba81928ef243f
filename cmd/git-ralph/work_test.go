//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A userAtWork is a user at work on a branch of their own, while workers do tasks for main.
type userAtWork struct{ *workshop }

func newUserAtWork(t *testing.T, scenario string, tasks int) userAtWork {
	t.Helper()
	w := userAtWork{newWorkshop(t, scenario)}
	var plan strings.Builder
	plan.WriteString(`{"t": "spec", "spec": "s.md"}` + "\n")
	for i := range tasks {
		fmt.Fprintf(&plan, `{"t": "task", "id": "t-w%d", "spec": "s.md", "name": "task %d", "s": "p", "created_at": "2026-01-01T00:00:00.%03dZ"}`+"\n", i, i, i)
	}
	w.Commit("plan", map[string]string{"ralph/plan.jsonl": plan.String(), "code": "first\n", "staged": "1\n", "changed": "1\n"})
	w.Git("config", "ralph.target", "main")
	return w
}

// goOwnWay makes the user's worktree as a user may leave it.
func (w userAtWork) goOwnWay() {
	w.Git("checkout", "-q", "-b", "mine")
	w.WriteFile("changed", "stashed\n")
	w.Git("stash", "-q")
	w.WriteFile("staged", "2\n")
	w.Git("add", "staged")
	w.WriteFile("staged", "3\n")
	w.WriteFile("changed", "2\n")
	w.WriteFile("untracked", "mine\n")
	w.Git("status")
}

// own hashes all that is the user's: the files, the index, the configuration, and the branches, stash and reflogs.
func (w userAtWork) own() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(w.Dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(w.Dir, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == ".ralph"):
			return fs.SkipDir
		case d.Type().IsRegular():
			all[name] = hashFile(path)
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, name := range []string{"index", "config", "HEAD", "logs/HEAD", "logs/refs/stash", "logs/refs/heads/mine"} {
		all[".git/"+name] = hashFile(w.Path(".git/" + name))
	}
	for line := range strings.Lines(w.Git("for-each-ref", "--format=%(refname) %(objectname)")) {
		name, id, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(name, "refs/heads/ralph-work/") && !strings.HasPrefix(name, "refs/ralph/") && name != "refs/heads/main" {
			all[name] = id
		}
	}
	return all
}

func hashFile(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// worker starts a worker.
func (w userAtWork) worker(out *bytes.Buffer, args ...string) *exec.Cmd {
	w.t.Helper()
	cmd := w.command(append([]string{"work"}, args...)...)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { cmd.Process.Kill() })
	return cmd
}

// TestWorkersLeaveUserAlone guards: while eight workers do tasks in one clone, the user's worktree, index, branches, stash, reflogs
// and configuration stay byte for byte as they are. Each task is done once.
func TestWorkersLeaveUserAlone(t *testing.T) {
	t.Parallel()
	const workers, tasks = 8, 9
	w := newUserAtWork(t, `always BUILD
  write {id}.txt {id}
  write code changed
  report {"verdict": "done", "files": ["{id}.txt"]}
`, tasks)
	w.goOwnWay()
	before := w.own()
	var done sync.WaitGroup
	var outs [workers]bytes.Buffer
	for i := range workers {
		cmd := w.worker(&outs[i])
		done.Go(func() {
			cmd.Wait()                                              //nolint:errcheck // its code says little: another may have been faster
			late := !strings.Contains(outs[i].String(), "claimed ") // and then there may have been nothing to do
			if code := cmd.ProcessState.ExitCode(); code != exitDone && code != 4 && (code != exitNothing || !late) {
				t.Errorf("worker %d ends with %d\n%s", i, code, &outs[i])
			}
		})
	}
	done.Wait()
	after := w.own()
	for name, hash := range before {
		if after[name] != hash {
			t.Errorf("%s changed", name)
		}
	}
	for name := range after {
		if _, was := before[name]; !was {
			t.Errorf("%s is new", name)
		}
	}
	for i := range tasks {
		id := fmt.Sprintf("t-w%d", i)
		if n := len(strings.Fields(w.Git("log", "--all", "--format=%h", "--diff-filter=A", "--", id+".txt"))); n != 1 {
			t.Errorf("%s was done %d times", id, n)
		}
	}
	w.Fsck()
}

// TestKilledWorkersLoseNothing guards: whatever an agent has written is in a commit once the next worker is done, when its
// worker, its agent or both were killed at any moment, also while a branch lands; and each task gets done once. RALPH_KILLS
// says how many kills.
func TestKilledWorkersLoseNothing(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"landing": nil, "no landing": {"--no-land"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			left := 2
			if os.Getenv("RALPH_KILLS") != "" {
				left = kills(t)
			}
			for random := rand.New(rand.NewPCG(seed, 0)); left > 0; {
				left -= killSome(t, random, args, left)
			}
		})
	}
}

// killSome kills workers on one plan until it is done, and returns how many.
func killSome(t *testing.T, random *rand.Rand, args []string, left int) (killed int) {
	const tasks = 3
	w := newUserAtWork(t, `always BUILD
  run n=$$$(date +%N); echo "$n" >>{id}.txt; echo "$n" >>"$WRITTEN"; sleep 0.0$(($$ % 9))
  report {"verdict": "done", "files": ["{id}.txt"]}
`, tasks)
	w.Env = append(w.Env, "WRITTEN="+filepath.Join(w.out, "written"))
	w.goOwnWay()
	before := w.own()
	for round := 0; round < 6 && killed < left; round++ {
		killed += w.killWorkers(random, args)
	}
	var out bytes.Buffer
	for _, name := range []string{"a", "b"} {
		w.worker(&out, append(args, "--worker", name)...).Wait() //nolint:errcheck // what is in the repository counts
	}
	w.checkWritten(&out)
	if len(args) > 0 {
		w.ralph("land", "--all")
	}
	if done := strings.Count(w.Git("show", "main:ralph/plan.jsonl"), `"s": "d"`); done != tasks {
		t.Errorf("%d of %d tasks are done\n%s", done, tasks, &out)
	}
	after := w.own()
	for name, hash := range before {
		if after[name] != hash {
			t.Errorf("%s changed", name)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	return killed
}

// killWorkers starts two workers and kills them, with their agents or without. It returns how many were running.
func (w userAtWork) killWorkers(random *rand.Rand, args []string) (killed int) {
	var outs [2]bytes.Buffer
	var workers []*exec.Cmd
	for i, name := range []string{"a", "b"} {
		workers = append(workers, w.worker(&outs[i], append(args, "--worker", name)...))
	}
	time.Sleep(time.Duration(50+random.IntN(900)) * time.Millisecond)
	for _, cmd := range workers {
		if random.IntN(3) == 0 {
			w.killAgents(random)
		}
		if syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	for _, cmd := range workers {
		cmd.Wait() //nolint:errcheck // it was killed
		if cmd.ProcessState.ExitCode() >= 0 {
			killed--
		}
	}
	return max(killed, 0)
}

// killAgents kills the processes that workers have recorded.
func (w userAtWork) killAgents(random *rand.Rand) {
	recorded, _ := filepath.Glob(w.Path(".git/worktrees/*/ralph/agent.json")) //nolint:errcheck // the pattern is good
	for _, file := range recorded {
		data, _ := os.ReadFile(file)
		var pid int
		if m := recordedPID.FindSubmatch(data); m != nil && random.IntN(2) == 0 {
			if fmt.Sscan(string(m[1]), &pid); pid > 0 {
				syscall.Kill(-pid, syscall.SIGKILL)
			}
		}
	}
}

// checkWritten checks that all that agents wrote is in commits, and that nothing lies around uncommitted.
func (w userAtWork) checkWritten(out *bytes.Buffer) {
	w.t.Helper()
	all := w.Git("log", "--branches", "-p", "--format=", "--", "*.txt") + "\n"
	written, err := os.ReadFile(filepath.Join(w.out, "written"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, n := range strings.Fields(string(written)) {
		if !strings.Contains(all, "+"+n+"\n") {
			w.t.Errorf("%s is lost\n%s", n, out)
		}
	}
	for _, name := range []string{"a", "b"} {
		if status := w.At(".ralph/worktrees/"+name).Git("status", "--porcelain"); status != "" {
			w.t.Errorf("uncommitted in the worktree of %s: %s", name, status)
		}
	}
	w.Fsck()
}
