//go:build unix

package authority_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

// A crowd is worker processes in worktrees and clones that share a remote. Each claims a task, makes a commit that adds the file
// done/<task>, sets the claim to landing, and lands whatever it sees in landing, until all tasks have landed. The test kills and
// stops them at random. Nothing here relies on how long anything takes: a slow machine makes more claims stale, not fewer safe.

const crowdLease = 2 * time.Second

// crowdWorker is one of the processes.
type crowdWorker struct {
	claims *authority.Claims
	repo   *git.Repo
	tasks  int
	name   string
	own    authority.Own
	locks  map[string]*authority.Lock
}

func (w *crowdWorker) git(args ...string) string {
	c := w.repo.Git().RemoteCmd(args...)
	for n := 0; ; n++ {
		result, err := w.repo.Git().Exec(context.Background(), c)
		if err == nil {
			return strings.TrimSuffix(string(result.Stdout), "\n")
		}
		if n == 20 {
			fmt.Println(err)
			os.Exit(1)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func beCrowdWorker() {
	w := &crowdWorker{claims: childClaims(), own: authority.Own{}, locks: map[string]*authority.Lock{}, name: fmt.Sprint("w", os.Getpid())}
	w.claims.SetSkew(0)
	w.tasks, _ = strconv.Atoi(os.Getenv("CLAIM_TEST_TASKS"))
	repo, err := git.Open(context.Background(), ".", os.Environ())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	w.repo = repo
	for w.round() {
	}
}

// tip fetches the target, and returns its tip with what it shows.
func (w *crowdWorker) tip() (string, claim.Target) {
	tracked := "refs/crowd/" + w.name
	w.git("fetch", "-q", "--no-tags", "--no-write-fetch-head", "hub", "+refs/heads/target:"+tracked)
	tip := w.git("rev-parse", tracked)
	target := claim.Target{}
	for i := range w.tasks {
		target[fmt.Sprint("t-", i)] = claim.Task{Pending: true}
	}
	for name := range strings.Lines(w.git("ls-tree", "-r", "--name-only", tip)) {
		delete(target, strings.TrimSuffix(strings.TrimPrefix(name, "done/"), "\n"))
	}
	return tip, target
}

func (w *crowdWorker) read(context.Context) (claim.Target, error) {
	_, target := w.tip()
	return target, nil
}

// round reports whether there is more to do.
func (w *crowdWorker) round() bool {
	ctx := context.Background()
	seen, err := w.claims.See(ctx, w.read)
	if err != nil {
		return true
	}
	w.claims.Clear(ctx, seen) //nolint:errcheck // another one does
	_, target := w.tip()
	if len(target) == 0 {
		return false
	}
	var ready []string
	for id := range target {
		s, claimed := seen[id]
		if !claimed || s.Held.Claim.State == claim.Working && w.claims.Protocol().Stale(s) != claim.Fresh {
			ready = append(ready, id)
		}
	}
	slices.Sort(ready)
	if len(ready) > 0 {
		w.work(ctx, ready[rand.IntN(len(claim.Candidates(ready, func(string) int { return 0 }, len(seen))))])
	}
	for id := range target {
		w.land(ctx, id)
	}
	return true
}

// work claims a task, and does it.
func (w *crowdWorker) work(ctx context.Context, id string) {
	by := authority.Holder{Worker: w.name, Lease: crowdLease, Lock: true}
	got, err := w.claims.Take(ctx, w.read, by, authority.TakeOptions{Progress: func(claim.Claim) bool { return true }}, id)
	if err != nil || got[0].Refusal != "" {
		return
	}
	defer got[0].Lock.Release()
	token := got[0].Held.Claim.Token
	base, _ := w.tip()
	commit := w.commit(base, id, token)
	branch := "refs/heads/work/" + id + "." + token
	w.git("update-ref", branch, commit)
	w.claims.Finish(ctx, id, token, claim.Work{Base: base, Branch: branch, Commit: commit}) //nolint:errcheck // a lost claim: the commit stays
}

// commit makes a commit on top of a base that adds a task's file, without a worktree.
func (w *crowdWorker) commit(base, id, token string) string {
	blob := w.stdin(id+" "+token+"\n", "hash-object", "-w", "--stdin")
	entries := ""
	if strings.Contains(w.git("ls-tree", base, "done"), "done") {
		entries = w.git("ls-tree", base+":done") + "\n"
	}
	done := w.stdin(entries+"100644 blob "+blob+"\t"+id+"\n", "mktree")
	root := w.stdin("040000 tree "+done+"\tdone\n", "mktree")
	return w.git("commit-tree", "-p", base, "-m", "done "+id+" "+token, root)
}

func (w *crowdWorker) stdin(text string, args ...string) string {
	out, err := w.repo.Git().Run(context.Background(), []byte(text), args...)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return out
}

// land lands a task that is in landing, whoever did it, on the newest tip.
func (w *crowdWorker) land(ctx context.Context, id string) {
	tip := ""
	seen, err := w.claims.See(ctx, func(context.Context) (target claim.Target, _ error) { tip, target = w.tip(); return target, nil }, id)
	if err != nil || seen[id].Held.Claim.State != claim.Landing {
		return
	}
	c := seen[id].Held.Claim
	merge := claim.Merge{Work: claim.Work{Branch: c.Branch, Commit: c.Commit}, Tasks: []claim.Seen{seen[id]}}
	if len(w.claims.Protocol().Check(merge)) > 0 {
		return
	}
	commit := w.commit(tip, id, c.Token)
	w.claims.Change(ctx, w.claims.Protocol().Land(claim.Move{Ref: "refs/heads/target", Old: tip, New: commit}, []claim.Merge{merge})) //nolint:errcheck // the target shows it
}

// crowd makes the places of a crowd: worktrees of one clone, and other clones, with a remote that logs.
func crowd(t *testing.T, clones int) (bare *gittest.Repo, places []*gittest.Repo) {
	p := remotePlace(t)
	empty := p.bare.GitIn("", "mktree")
	p.bare.Git("update-ref", "refs/heads/target", p.bare.Git("commit-tree", "-m", "start", empty))
	p.bare.WriteFile("hooks/reference-transaction", "#!/bin/sh\n[ \"$1\" = prepared ] || exit 0\n{ echo begin; cat; } >\"$GIT_DIR/../tx.$$\" && cat \"$GIT_DIR/../tx.$$\" >>\"$GIT_DIR/../log\"; rm -f \"$GIT_DIR/../tx.$$\"\n")
	if err := os.Chmod(p.bare.Path("hooks/reference-transaction"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range clones {
		name := fmt.Sprint("../crowd", i)
		p.bare.Git("clone", "-q", "-o", "hub", "--no-checkout", p.bare.Dir, name)
		clone := p.bare.At(name)
		clone.Git("config", "ralph.claims.remote", "hub")
		clone.Git("config", "gc.auto", "0")
		clone.Git("worktree", "add", "-q", "--detach", "--no-checkout", name+"-linked", "hub/main")
		places = append(places, clone, p.bare.At(name+"-linked"))
	}
	return p.bare, places
}

// Each task lands once, under a claim that the same transaction ended, although workers are killed and stopped at random.
func TestCrowd(t *testing.T) {
	tasks, workers, clones := 12, 4, 2
	if n, err := strconv.Atoi(os.Getenv("GIT_RALPH_CROWD")); err == nil {
		tasks, workers, clones = n, 16, 4
	} else if testing.Short() {
		t.Skip("a crowd is for a long run")
	}
	bare, places := crowd(t, clones)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 9*time.Minute)
	defer cancel()
	var group sync.WaitGroup
	for i := range workers {
		group.Go(func() { runCrowdWorker(ctx, t, exe, places[i%len(places)], tasks, uint64(i)) })
	}
	group.Wait()
	checkCrowd(t, bare, tasks)
}

// runCrowdWorker starts a worker again and again until one ends by itself: some are killed, some are stopped for a while.
func runCrowdWorker(ctx context.Context, t *testing.T, exe string, r *gittest.Repo, tasks int, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 2))
	for n := 0; ctx.Err() == nil; n++ {
		worker := exec.CommandContext(ctx, exe)
		worker.Dir, worker.Env = r.Dir, append(slices.Clip(r.Env), "CLAIM_TEST_CHILD=crowd", fmt.Sprint("CLAIM_TEST_TASKS=", tasks))
		var out strings.Builder
		worker.Stdout, worker.Stderr = &out, &out
		if err := worker.Start(); err != nil {
			t.Error(err)
			return
		}
		ended := make(chan error, 1)
		go func() { ended <- worker.Wait() }()
		disturb := time.After(time.Duration(500+random.IntN(3000)) * time.Millisecond)
		if n > 5 {
			disturb = nil
		}
		select {
		case err := <-ended:
			if err != nil && ctx.Err() == nil {
				t.Error(err, out.String())
			}
			return
		case <-disturb:
		}
		if random.IntN(2) == 0 {
			worker.Process.Signal(syscall.SIGSTOP) //nolint:errcheck // it may have ended
			time.Sleep(crowdLease + time.Second)
			worker.Process.Signal(syscall.SIGCONT) //nolint:errcheck // see above
			time.Sleep(time.Second)
		}
		worker.Process.Kill() //nolint:errcheck // see above
		<-ended
	}
}

// checkCrowd reads the target's history, and the log that the remote's hook wrote while the references were locked.
func checkCrowd(t *testing.T, bare *gittest.Repo, tasks int) {
	landed := map[string]string{} // token, by task
	for line := range strings.Lines(bare.Git("log", "--format=%s", "target") + "\n") {
		var id, token string
		if n, _ := fmt.Sscanf(line, "done %s %s", &id, &token); n == 2 {
			if landed[id] != "" {
				t.Errorf("%s landed twice", id)
			}
			landed[id] = token
		}
	}
	if len(landed) != tasks {
		t.Errorf("%d of %d tasks landed", len(landed), tasks)
	}
	if left := bare.Git("for-each-ref", "refs/ralph"); left != "" {
		t.Errorf("claims left:\n%s", left)
	}
	ends := 0
	for transaction := range strings.SplitSeq(bare.ReadFile("../log"), "begin\n") {
		if strings.Contains(transaction, " refs/heads/target\n") && strings.Contains(transaction, " refs/ralph/claims/") {
			ends++
		}
	}
	if ends < tasks {
		t.Errorf("%d of %d landings ended a claim in their transaction", ends, tasks)
	}
}
