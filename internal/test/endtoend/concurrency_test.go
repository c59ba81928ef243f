package endtoend

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/test/gittest"
)

const (
	writers    = 64 // processes at once in one worktree
	mutations  = 4  // by each; RALPH_MUTATIONS chooses
	linkedOnes = 8  // linked worktrees, a branch each
)

// A made mutation is one that the program said it had made.
type made struct{ id, commit string }

// docs/promises.md, "One mutation, one commit": among many processes in one
// worktree and in linked ones, beside a user who commits, pulls and switches
// branches, every mutation that exits 0 is in the history exactly once, on the
// branch that it was made on; all of the user's commits are there; and the
// repository is sound.
func TestManyAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a thousand processes")
	}
	mutations := setting("RALPH_MUTATIONS", mutations)
	r := newPlan(t)
	r.Git("config", "ralph.lockTimeout", "300")
	r.Git("branch", "side")
	upstream := publish(t, r)

	all := newLedger()
	user := startUser(t, r, upstream)
	var wait sync.WaitGroup
	for n := range writers {
		wait.Go(func() { all.write(r, fmt.Sprintf("w%d", n), mutations) })
	}
	for n := range linkedOnes {
		dir, branch := fmt.Sprintf("../linked%d", n), fmt.Sprintf("linked%d", n)
		r.Git("worktree", "add", "-q", "-b", branch, dir, "main")
		wait.Go(func() { all.write(at(r, t, dir), branch, mutations) })
	}
	wait.Wait()
	commits := user.stop()

	r.add("takes along what a pull left uncommitted")
	for _, failure := range all.failures {
		t.Error(failure)
	}
	checkLedger(t, r, all.made)
	log := r.Git("log", "--all", "--format=%s")
	for _, subject := range commits {
		if strings.Count(log+"\n", subject+"\n") != 1 {
			t.Errorf("the user's commit %q is not there once", subject)
		}
	}
	t.Logf("%d mutations, %d commits of the user", len(all.made), len(commits))
	if len(commits) == 0 {
		t.Error("the user never got through")
	}
	r.Git("fsck", "--strict")
	if _, err := r.TryGit("rev-parse", "--verify", "-q", "HEAD"); err != nil {
		t.Error(err)
	}
}

// publish makes a bare repository that the worktree pulls from and another
// clone that pushes to it.
func publish(t *testing.T, r *repo) *repo {
	r.Git("clone", "-q", "--bare", r.Dir, "../upstream.git")
	r.Git("remote", "add", "origin", r.Path("../upstream.git"))
	r.Git("clone", "-q", r.Path("../upstream.git"), "../colleague")
	return at(r, t, "../colleague")
}

type ledger struct {
	mu       sync.Mutex
	made     []made
	failures []string
}

func newLedger() *ledger { return &ledger{} }

// write adds tasks one after the other, each by a process of its own.
func (l *ledger) write(r *repo, name string, count int) {
	for n := range count {
		id := fmt.Sprintf("t-%s-%d", name, n)
		out := r.ralph("task", "add", "--id", id, "task of "+name)
		var res struct {
			Committed      bool
			Commit, Branch string
		}
		err := json.Unmarshal([]byte(out.stdout), &res)
		l.mu.Lock()
		if out.code != 0 || err != nil {
			l.failures = append(l.failures, fmt.Sprintf("%s: exit %d, %v: %s", id, out.code, err, out.stderr))
		} else {
			l.made = append(l.made, made{id: id, commit: res.Commit})
		}
		l.mu.Unlock()
	}
}

// checkLedger finds each mutation in the history: one commit reports it, on the
// branch that its message names. What was left to a later commit, in the middle
// of a pull, has no commit of its own but must be in a plan.
func checkLedger(t *testing.T, r *repo, all []made) {
	t.Helper()
	type reported struct{ commit, branch string }
	tales := map[string][]reported{}
	for _, entry := range strings.Split(r.Git("log", "--all", "--format=%H%n%B%x00"), "\x00") {
		commit, body, _ := strings.Cut(strings.TrimLeft(entry, "\n"), "\n")
		_, branch, _ := strings.Cut(body, "Ralph-Branch: ")
		branch, _, _ = strings.Cut(branch, "\n")
		for _, line := range strings.Split(body, "\n") {
			if rest, found := strings.CutPrefix(line, "Ralph-Event: added "); found {
				id, _, _ := strings.Cut(rest, " ")
				tales[id] = append(tales[id], reported{commit, branch})
			}
		}
	}
	contained := map[string][]string{}
	plans := everyPlan(r)
	for _, m := range all {
		found := tales[m.id]
		if m.commit == "" && len(found) == 0 { // taken along by the user's own commit
			if !strings.Contains(plans, m.id) {
				t.Errorf("%s is in no branch's plan", m.id)
			}
			continue
		}
		if m.commit == "" && len(found) == 1 { // reported by the next mutation
			m.commit = found[0].commit
		}
		if len(found) != 1 || found[0].commit != m.commit {
			t.Errorf("%s: said %s, told by %v", m.id, m.commit, found)
			continue
		}
		branch := found[0].branch
		if contained[branch] == nil {
			contained[branch] = strings.Fields(r.Git("rev-list", branch))
			slices.Sort(contained[branch])
		}
		if _, on := slices.BinarySearch(contained[branch], m.commit); !on {
			t.Errorf("%s: commit %s is not on %q", m.id, m.commit, branch)
		}
	}
}

func everyPlan(r *repo) string {
	var all strings.Builder
	for _, branch := range strings.Fields(r.Git("for-each-ref", "--format=%(refname)", "refs/heads")) {
		all.WriteString(r.Git("show", branch+":"+planFile))
	}
	return all.String()
}

// user is somebody who works in the same worktree with plain git.
type user struct {
	r        *repo
	upstream *repo
	done     chan struct{}
	finished chan []string
}

func startUser(t *testing.T, r, colleague *repo) *user {
	u := &user{r: r, upstream: colleague, done: make(chan struct{}), finished: make(chan []string)}
	go u.work()
	return u
}

// stop ends the work and returns the subjects of the commits that git said it
// had made.
func (u *user) stop() []string {
	close(u.done)
	return <-u.finished
}

func (u *user) work() {
	var commits []string
	for n := 0; u.goesOn(); n++ {
		switch {
		case n%10 == 5:
			u.r.TryGit("switch", "-q", []string{"main", "side"}[n/10%2])
		case n%15 == 7:
			u.push(n)
			u.r.TryGit("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
		}
		subject := fmt.Sprintf("user %d", n)
		gittestWrite(u.r.Repo, fmt.Sprintf("user-%d.txt", n%5), subject)
		if _, err := u.r.TryGit("add", "--", "*.txt"); err != nil {
			continue
		}
		if _, err := u.r.TryGit("commit", "-q", "-m", subject); err == nil {
			commits = append(commits, subject)
		}
	}
	u.finished <- commits
}

// goesOn waits for index.lock to go, about which git would only complain, and reports whether there is still something to do.
func (u *user) goesOn() bool {
	for {
		select {
		case <-u.done:
			return false
		default:
		}
		if !u.r.Exists(".git/index.lock") {
			return true
		}
		time.Sleep(time.Millisecond)
	}
}

func gittestWrite(r *gittest.Repo, name, content string) { r.WriteFile(name, content+"\n") }

// push publishes a colleague's commit, which does not touch the plan.
func (u *user) push(n int) {
	u.upstream.Commit(fmt.Sprintf("colleague %d", n), map[string]string{fmt.Sprintf("colleague-%d.txt", n): "x\n"})
	u.upstream.TryGit("push", "-q", "origin", "HEAD:main")
}
