//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/test/gittest"
)

// teamSize returns how many tasks and builders a test has, and how often everything is killed: few, or what RALPH_TEAM says ("200 10 8":
// tasks, kills, builders).
func teamSize(t *testing.T, tasks, kills, builders int) (int, int, int) {
	if text := os.Getenv("RALPH_TEAM"); text != "" {
		if _, err := fmt.Sscan(text, &tasks, &kills, &builders); err != nil {
			t.Fatal(err)
		}
	}
	return tasks, kills, builders
}

// TestTeamOfKills guards: a team takes a plan with dependencies and roles to COMPLETE, although work is rejected, cannot land or
// blocked, although a worker is killed, and although everything is killed at once, git's commands and the agents too. Every task is
// accepted once, and nothing is left behind.
func TestTeamOfKills(t *testing.T) {
	t.Parallel()
	tasks, kills, builders := teamSize(t, 12, 1, 3)
	w := newWorkshop(t, `BUILD t-n1
  report {"verdict": "blocked", "reason": "no key"}
VERIFY t-n2
  pass t-n2 the first time is never right
always BUILD
  run git merge -q --no-edit -X ours main >/dev/null 2>&1 || git merge --abort
  write {id}.txt {id}
  run case {id} in *[05]) echo {id} >shared.txt;; esac
  report {"verdict": "done", "files": ["{id}.txt", "shared.txt"]}
always INVESTIGATE
  run git ralph issue done
always VERIFY
  pass
`)
	mark := "RALPH_TEST_TEAM=" + w.Dir
	w.Env = append(w.Env, mark)
	w.WriteFile("ralph/plan.jsonl", teamPlan(tasks))
	w.Git("commit", "-q", "-a", "-m", "plan")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	roster := fmt.Sprintf("builder=%d,analyst=1,integrator=%d", builders, random.IntN(2))
	for range kills {
		b := w.team(roster)
		time.Sleep(time.Duration(100+random.IntN(1500)) * time.Millisecond)
		killMarked(mark, "", -1, random)
		b.code()
	}
	b := w.team(roster)
	time.Sleep(time.Duration(200+random.IntN(500)) * time.Millisecond)
	killMarked(mark, "work\x00--wait", 1, random)
	if code := b.code(); code != exitDone && code != exitNothing {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	w.checkTeam(tasks, mark)
	if t.Failed() {
		t.Fatalf("%s\n%s", &b.out, w.ralph("log", "--all", "--format", "text"))
	}
}

// TestHeroOfKills guards: a hero that was killed with everything that it started, in the middle of a task and of research, continues from
// plan, claims and branches alone. Every task is accepted once, also one that could not land at first, and nothing is left behind.
func TestHeroOfKills(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, `BUILD t-n1
  run echo half >half.txt; echo 1 >"$RALPH_OUT/middle"; sleep 100
always BUILD
  write {id}.txt {id}
  run case {id} in *[34]) git merge -q --no-edit -X ours main >/dev/null 2>&1 || git merge --abort; echo {id} >shared.txt;; esac
  report {"verdict": "done", "files": ["{id}.txt", "shared.txt"]}
always VERIFY
  pass
`)
	mark := "RALPH_TEST_TEAM=" + w.Dir
	w.Env = append(w.Env, mark, "RALPH_OUT="+w.out)
	w.WriteFile("ralph/plan.jsonl", teamPlan(5))
	w.Git("commit", "-q", "-a", "-m", "plan")
	b := w.byGit("hero")
	w.await("middle")
	killMarked(mark, "", -1, nil)
	b.code()
	b = w.byGit("hero", "--json")
	if code := b.code(); code != exitDone {
		t.Errorf("exit code %d", code)
	}
	w.checkTeam(5, mark)
	if t.Failed() {
		t.Fatalf("%s\n%s", &b.out, w.ralph("log", "--all", "--format", "text"))
	}
}

// teamPlan is a plan with dependencies; every fifth task is an analyst's.
func teamPlan(tasks int) string {
	var b strings.Builder
	b.WriteString(`{"t": "spec", "spec": "s.md"}` + "\n")
	for i := range tasks {
		more := ""
		if i > 2 {
			more = fmt.Sprintf(`"deps": ["t-n%d"], `, i/2)
		}
		if i%5 == 4 {
			more += `"role": "analyst", `
		}
		fmt.Fprintf(&b, `{"t": "task", "id": "t-n%d", "spec": "s.md", "name": "task %d", %s"s": "p", "created_at": "2026-01-01T00:00:00.%03dZ"}`+"\n", i, i, more, i)
	}
	return b.String()
}

// team starts `git ralph team run`.
func (w *workshop) team(roster string) *build { return w.byGit("team", "run", "--roster", roster) }

// byGit starts a command by git, as a user does: a git waits for it then.
func (w *workshop) byGit(args ...string) *build {
	w.t.Helper()
	b := &build{Cmd: w.command(append([]string{"ralph"}, args...)...)}
	b.Path, b.Args[0] = gitProgram(w.t), "git"
	b.Stdout, b.Stderr = &b.out, &b.out
	if err := b.Start(); err != nil {
		w.t.Fatal(err)
	}
	return b
}

// marked lists the processes with a mark in their environment, and a part of their command line.
func marked(mark, part string) (all []int) {
	paths, _ := filepath.Glob("/proc/[0-9]*/environ") //nolint:errcheck // the pattern is good
	for _, path := range paths {
		environ, _ := os.ReadFile(path)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && slices.Contains(strings.Split(string(environ), "\x00"), mark) && bytes.Contains(line, []byte(part)) {
			all = append(all, pid)
		}
	}
	return all
}

// killMarked kills marked processes: so many of them, or all that are there and all that they start meanwhile.
func killMarked(mark, part string, n int, random *rand.Rand) {
	if n > 0 {
		all := marked(mark, part)
		random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		for _, pid := range all[:min(n, len(all))] {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		return
	}
	for all := marked(mark, part); len(all) > 0; all = marked(mark, part) {
		for _, pid := range all {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// checkTeam looks at what a team left of a plan that is complete.
func (w *workshop) checkTeam(tasks int, mark string) {
	w.t.Helper()
	w.checkLeft(mark)
	messages := w.Git("log", "--format=%B")
	for i := range tasks {
		id := fmt.Sprintf("t-n%d", i)
		if w.Git("log", "--format=%h", "--", id+".txt") == "" {
			w.t.Errorf("the work of %s is in no commit", id)
		}
		if accepted := regexp.MustCompile(`(?m)^Ralph-Event: accepted `+id+` `).FindAllString(messages, -1); len(accepted) != 1 {
			w.t.Errorf("%s was accepted %d times", id, len(accepted))
		}
	}
}

// checkLeft looks at what is left beside the work of a plan that is complete: no process, claim, lock, damage, or uncommitted change.
func (w *workshop) checkLeft(mark string) {
	w.t.Helper()
	// The guards of a worker that was killed remove what it locked, and end by themselves.
	gittest.Await(w.t, "the end of all processes", func() bool { return len(marked(mark, "")) == 0 })
	if got := w.ralph("query", "stage"); !strings.HasSuffix(got, "COMPLETE\n") { // a hint may come first
		w.t.Errorf("the stage is %s", got)
	}
	w.Fsck()
	if claims := w.Git("for-each-ref", "refs/ralph/claims/"); claims != "" {
		w.t.Errorf("claims are left: %s", claims)
	}
	worktrees, _ := filepath.Glob(w.Path(".ralph/worktrees/*")) //nolint:errcheck // the pattern is good
	for _, dir := range append(worktrees, w.Dir) {
		if left := w.Repo.At(dir).Git("status", "--porcelain"); left != "" {
			w.t.Errorf("uncommitted in %s: %s", dir, left)
		}
	}
	for _, pattern := range []string{".git/*.lock", ".git/refs/heads/*.lock", ".git/refs/ralph/claims/*.lock", ".git/worktrees/*/*.lock", ".git/ralph/agent.json"} {
		if left, _ := filepath.Glob(w.Path(pattern)); len(left) > 0 {
			w.t.Errorf("left %s", left)
		}
	}
}
