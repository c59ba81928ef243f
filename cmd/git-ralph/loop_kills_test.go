//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// kills is how many SIGKILLs TestKillsAnywhere sends: few, or as many as RALPH_KILLS says.
func kills(t *testing.T) int {
	n := 8
	if given := os.Getenv("RALPH_KILLS"); given != "" {
		if _, err := fmt.Sscan(given, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// TestKillsAnywhere guards: whatever is killed at whatever moment, the loop, its process group, the agent, or a git command of
// either, also while a hook holds git between the locks of the references and their change: the next build goes on with no
// manual step, loses nothing and repeats nothing.
func TestKillsAnywhere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells that no other git is at work")
	}
	const tasks = 6
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for left := kills(t); left > 0; {
		w := newWorkshop(t, `always BUILD
  write code {id}
  write {id}.txt {id}
  report {"verdict": "done", "files": ["{id}.txt"]}
always VERIFY
  pass
`)
		w.hook("reference-transaction", `[ "$1" = prepared ] && sleep 0.0$(($$ % 9))`+"\nexit 0")
		w.hook("pre-commit", "sleep 0.0$(($$ % 9))")
		w.WriteFile("code", "first\n")
		w.WriteFile("ralph/plan.jsonl", night(tasks))
		w.Git("add", "code")
		w.Git("commit", "-q", "-a", "-m", "plan")
		for complete := false; left > 0 && !complete; {
			b := w.build("--max-iterations", "0")
			ended := make(chan int, 1)
			go func() { ended <- b.code() }()
			time.Sleep(time.Duration(20+random.IntN(900)) * time.Millisecond)
			killed := w.kill(b, random)
			code := <-ended
			complete = w.ralph("query", "stage") == "COMPLETE\n"
			switch {
			case code < 0: // by us
				left--
			case code == exitDone || code == exitNothing:
				if !complete {
					t.Fatalf("exit code %d before the plan is complete\n%s", code, &b.out)
				}
			case code == exitFailed && killed == gitCommand: // and says so
				left--
			default:
				t.Fatalf("exit code %d after a kill of %s\n%s", code, killed, &b.out)
			}
		}
		want := exitDone
		if w.ralph("query", "stage") == "COMPLETE\n" {
			want = exitNothing
		}
		b := w.build("--max-iterations", "0")
		if code := b.code(); code != want {
			t.Fatalf("exit code %d of the build after the kills, want %d\n%s", code, want, &b.out)
		}
		w.checkKills(tasks)
		if t.Failed() {
			t.Fatalf("%s", w.ralph("log", "--all", "--format", "text"))
		}
	}
}

var recordedPID = regexp.MustCompile(`"pid": (\d+)`)

// The exit codes that a build has here, as its help says.
const (
	exitDone    = 0
	exitFailed  = 1
	exitNothing = 3
)

// What kill kills beside the loop itself.
const (
	theLoop    = "the loop alone"
	theGroup   = "its process group"
	theAgent   = "its agent"
	gitCommand = "its git command"
)

// kill kills one of what is running, and then the loop; it returns what was killed first. What is not alive any more is as
// good as spared.
func (w *workshop) kill(b *build, random *rand.Rand) (what string) {
	commands, _ := filepath.Glob(w.Path(".git/ralph/commands/*.json")) //nolint:errcheck // the pattern is good
	processes := append(commands, w.Path(".git/ralph/agent.json"))
	switch random.IntN(3) {
	case 0:
		what = theLoop
		b.Process.Kill() //nolint:errcheck // see above
	case 1:
		what = theGroup
		syscall.Kill(-b.Process.Pid, syscall.SIGKILL)
	default:
		i := random.IntN(len(processes))
		what = theAgent
		if i < len(commands) {
			what = gitCommand
		}
		data, _ := os.ReadFile(processes[i])
		if m := recordedPID.FindSubmatch(data); m != nil {
			if pid, _ := strconv.Atoi(string(m[1])); pid > 0 {
				syscall.Kill(-pid, syscall.SIGKILL)
			}
		}
		if random.IntN(2) == 0 {
			b.Process.Kill() //nolint:errcheck // see above
		}
	}
	time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
	b.Process.Kill() //nolint:errcheck // see above
	return what
}

// checkKills looks at what kills left of a plan that is complete.
func (w *workshop) checkKills(tasks int) {
	w.t.Helper()
	if got := w.ralph("query", "stage"); got != "COMPLETE\n" {
		w.t.Errorf("the stage is %s", got)
	}
	for i := range tasks {
		id := fmt.Sprintf("t-n%d", i)
		if w.Git("log", "--format=%h", "--", id+".txt") == "" {
			w.t.Errorf("the work of %s is in no commit", id)
		}
		accepted := regexp.MustCompile(`(?m)^Ralph-Event: accepted `+id+` `).FindAllString(w.Git("log", "--format=%B"), -1)
		if len(accepted) != 1 {
			w.t.Errorf("%s was accepted %d times", id, len(accepted))
		}
	}
	w.Fsck()
	if left := w.Git("status", "--porcelain"); left != "" {
		w.t.Errorf("left %s", left)
	}
	for _, pattern := range []string{".git/*.lock", ".git/refs/heads/*.lock", ".git/next-index*", ".git/index.ralph*", ".git/ralph/commit.json", ".git/ralph/.*.tmp", "ralph/.*.tmp"} {
		if left, _ := filepath.Glob(w.Path(pattern)); len(left) > 0 {
			w.t.Errorf("left %s", left)
		}
	}
}
