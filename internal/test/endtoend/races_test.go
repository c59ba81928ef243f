package endtoend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// docs/promises.md, "One mutation, one commit": a mutation builds on HEAD's plan, never on that of a branch which a git
// command is about to make HEAD's: it waits for that command. A hook holds git between its writing of the files and its moving
// of HEAD.
func TestBuildsOnHeadsPlan(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	for name, args := range map[string][]string{
		"checkout -b": {"checkout", "-q", "-b", "new", "side"},
		"switch -c":   {"switch", "-q", "-c", "new", "side"},
		"checkout -B": {"checkout", "-q", "-B", "main", "side"},
		"reset":       {"reset", "-q", "--hard", "HEAD~1"},
		"pull rebase": {"pull", "-q", "--rebase", ".", "side"},
		"merge":       {"merge", "-q", "--no-edit", "side"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newPlan(t)
			r.Git("config", "ralph.lockTimeout", "300")
			r.must("install", "--no-hooks") // the merge driver
			r.Git("branch", "side")
			r.add("of main")
			r.add("of main, too")
			r.Git("checkout", "-q", "side")
			r.add("of side")
			r.Git("checkout", "-q", "main")
			r.WriteFile(".git/hooks/reference-transaction", "#!/bin/sh\n[ \"$1\" = prepared ] || exit 0\n"+
				"case $(cat) in *' refs/heads/'*) ;; *) exit 0 ;; esac\n"+ // of HEAD or a branch
				"mkdir .git/held 2>/dev/null || exit 0\nuntil [ -e .git/go ]; do sleep 0.01; done\n")
			if err := os.Chmod(r.Path(".git/hooks/reference-transaction"), 0o777); err != nil {
				t.Fatal(err)
			}
			ended := make(chan bool)
			go func() {
				r.TryGit(args...)
				close(ended)
			}()
			waitFor(t, r, ".git/held", ended)
			looked := startMutation(t, r, "task", "add", "--id", "t-x", "X")
			r.WriteFile(".git/go", "")
			<-ended
			out := looked()
			var res result
			if err := json.Unmarshal(out.Bytes(), &res); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if !res.Committed {
				r.must("task", "add", "--id", "t-y", "Y") // in the middle of a rebase it was left to the next one
				res.Commit = r.Git("rev-parse", "HEAD")
			}
			if gone := r.Git("log", "-1", "--format=", "-p", res.Commit, "--", planFile); strings.Contains(gone, "\n-{") {
				t.Errorf("a commit of ours removes something:\n%s", gone)
			}
			if !strings.Contains(r.Git("show", res.Commit+":"+planFile), "t-x") {
				t.Error("the commit does not hold it")
			}
		})
	}
}

// waitFor waits until a file is there, which must be before something ends.
func waitFor(t *testing.T, r *repo, name string, ended <-chan bool) {
	t.Helper()
	for !r.Exists(name) {
		select {
		case <-ended:
			t.Fatalf("%s did not appear", name)
		case <-time.After(time.Millisecond):
		}
	}
}

// startMutation starts the program, and returns once it has looked at the plan. What it returns waits for the end.
func startMutation(t *testing.T, r *repo, args ...string) func() *bytes.Buffer {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(filepath.Join(bin, "git-ralph"), args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.Dir, r.Env, &out, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	holder := fmt.Sprintf(`"pid":%d,`, cmd.Process.Pid)
	for range 60000 {
		if data, _ := os.ReadFile(r.Path(".git/ralph/lock")); strings.Contains(string(data), holder) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return func() *bytes.Buffer {
		cmd.Wait()
		return &out
	}
}

// docs/promises.md, "One mutation, one commit": mutations beside a user who does with plain git, in loops, what git ralph has
// no say in: none that was reported as committed is missing, and one that was refused was refused because git had left another
// plan, or the conflict of a stash, in the file: what the hint names helps. RALPH_MUTATIONS is their number.
func TestMutationsAmongGitCommands(t *testing.T) {
	count := 40
	if given := os.Getenv("RALPH_MUTATIONS"); given != "" {
		count, _ = strconv.Atoi(given)
	} else if testing.Short() {
		t.Skip("takes ten seconds")
	}
	r := newPlan(t)
	r.Git("config", "ralph.lockTimeout", "60")
	r.Git("branch", "side")
	upstream := publish(t, r)
	trace := filepath.Join(t.TempDir(), "trace")
	r.Repo = r.Setenv("GIT_TRACE2_EVENT", trace)
	over := make(chan bool)
	var loops, writers sync.WaitGroup
	for _, loop := range gitLoops(r, upstream) {
		loops.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				default:
					loop(n)
				}
			}
		})
	}
	const hands = 2
	l := racingLedger{r: r}
	for hand := range hands {
		writers.Go(func() {
			for n := range count / hands {
				l.add(fmt.Sprintf("t-h%d-%d", hand, n))
			}
		})
	}
	writers.Wait()
	close(over)
	loops.Wait()
	r.TryGit("merge", "--abort")
	r.TryGit("rebase", "--abort")
	l.add("t-last") // brings back what git took away, and keeps or undoes, as the hints say, what git left in the file
	l.add("t-very-last")
	for _, branch := range []string{"side", "main"} {
		r.Git("reset", "-q", "--hard")
		r.Git("checkout", "-q", branch)
		r.must("task", "add", "--id", "t-last-"+branch, "Last")
	}
	t.Logf("%d committed, %d left uncommitted during a merge or rebase, %d refused", len(l.made), l.left, l.refused)
	plans := everyPlan(r)
	events := r.Git("log", "--all", "--format=%B")
	for _, m := range l.made {
		inPlan, reported := strings.Contains(plans, `"`+m.id+`"`), strings.Contains(events, "Ralph-Event: added "+m.id+" ")
		if !inPlan || !reported {
			log, _ := r.Run("sh", "-c", "grep -h -n -A3 "+m.commit+" .git/logs/HEAD .git/logs/refs/heads/*")
			still := r.Git("branch", "--contains", m.commit)
			t.Errorf("%s was committed as %s and is missing: in a plan %v, in a message %v, the commit is on %q:\n%s\n%s", m.id, m.commit, inPlan, reported, still, log, tracedAround(t, trace, m.id))
		}
	}
	if len(l.made) == 0 {
		t.Error("nothing was committed")
	}
	r.Git("fsck", "--strict")
}

// A racingLedger counts what became of mutations.
type racingLedger struct {
	r             *repo
	mutex         sync.Mutex
	made          []made
	left, refused int
}

// add adds a task. Where that is refused it does what the hints say.
func (l *racingLedger) add(id string) {
	out := l.r.ralph("task", "add", "--id", id, "-- task "+id)
	var res result
	err := json.Unmarshal([]byte(out.stdout), &res)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	switch {
	case out.code == 0 && err == nil && res.Committed:
		l.made = append(l.made, made{id, res.Commit})
	case out.code == 0 && err == nil:
		l.left++
	case strings.Contains(out.stderr, "`git commit -- ") || strings.Contains(out.stderr, "`git add -- ") || strings.Contains(out.stderr, "`git rm "):
		l.refused++
		if strings.Contains(out.stderr, " remove ") || strings.Contains(out.stderr, "missing") {
			l.r.TryGit("restore", "--staged", "--worktree", "--", planFile)
		} else {
			l.r.TryGit("commit", "-q", "-m", "keep the plan", "--", planFile)
		}
	case strings.Contains(out.stderr, "`git ralph resolve --all`"): // `git stash pop` brings back a plan that it read between two of our commits
		l.refused++
		l.r.ralph("resolve", "--all")
	default:
		l.r.t.Errorf("%s: exit %d: %s", id, out.code, out.stderr)
	}
}

// tracedAround returns the commands that git ran about the time at which a mutation was committed.
func tracedAround(t *testing.T, trace, id string) string {
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Error(err)
	}
	var lines []string
	began, committed := map[string]string{}, -1
	for line := range strings.Lines(string(data)) {
		var e struct {
			Event, Sid, Time string
			Argv             []string
			Code             int
		}
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		switch e.Event {
		case "start":
			began[e.Sid] = strings.Join(e.Argv, " ")
			if committed < 0 && strings.Contains(began[e.Sid], "update-ref") && strings.Contains(began[e.Sid], " "+id+" ") {
				committed = len(lines)
			}
			lines = append(lines, e.Time+" "+began[e.Sid])
		case "exit":
			lines = append(lines, fmt.Sprintf("%s %s: exit %d", e.Time, began[e.Sid], e.Code))
		}
	}
	return strings.Join(lines[max(0, committed-60):min(len(lines), max(0, committed)+120)], "\n")
}

// gitLoops are what the user does, each again and again beside the others.
func gitLoops(r, upstream *repo) []func(n int) {
	pause := func() { time.Sleep(20 * time.Millisecond) } // as nobody types faster
	return []func(n int){
		func(n int) {
			r.TryGit("checkout", "-q", []string{"side", "main"}[n%2])
			pause()
		},
		func(n int) {
			r.WriteFile("a.txt", fmt.Sprintf("stashed %d\n", n))
			if _, err := r.TryGit("stash", "push", "-q", "--", "a.txt"); err == nil {
				r.TryGit("stash", "pop", "-q")
			}
			pause()
		},
		func(n int) {
			r.WriteFile("b.txt", fmt.Sprintf("amended %d\n", n))
			r.TryGit("add", "b.txt")
			r.TryGit("commit", "-q", "--amend", "--no-edit")
			pause()
		},
		func(n int) {
			r.TryGit([]string{"gc", "repack"}[n%2], "-q")
			pause()
		},
		func(n int) {
			upstream.Commit(fmt.Sprintf("colleague %d", n), map[string]string{"colleague.txt": fmt.Sprintf("%d\n", n)})
			upstream.TryGit("push", "-q", "origin", "HEAD:main")
			r.TryGit("pull", "-q", "--no-edit", []string{"--rebase", "--no-rebase"}[n%2], "origin", "main")
			r.TryGit("rebase", "--abort")
			r.TryGit("merge", "--abort")
			pause()
		},
	}
}
