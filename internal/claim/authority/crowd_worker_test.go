//go:build unix

package authority_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
)

const crowdTasks = 24 // that a worker claims at a time

// crowdWorker is one of the processes of a crowd.
type crowdWorker struct {
	claims *authority.Claims
	repo   *git.Repo
	hub    *git.Repo // the remote
	tasks  int
	lease  time.Duration
	name   string
	takes  int
	ended  string // file for the names under which it gave claims up
	notes  crowdNotes
	tip    string // of the target, and what it shows
	target claim.Target
}

func beCrowdWorker() {
	repo, err := git.Open(context.Background(), ".", os.Environ())
	hub, hubErr := git.Open(context.Background(), os.Getenv("CLAIM_TEST_HUB"), os.Environ())
	if err = errors.Join(err, hubErr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	w := &crowdWorker{claims: childClaims(), repo: repo, hub: hub, name: fmt.Sprint("w", os.Getpid()), ended: os.Getenv("CLAIM_TEST_ENDED")}
	w.notes = crowdNotes{path: os.Getenv("CLAIM_TEST_CALLS"), clone: filepath.Base(filepath.Dir(repo.CommonDir())), pid: os.Getpid()}
	w.claims.SetSkew(0)
	w.tasks, _ = strconv.Atoi(os.Getenv("CLAIM_TEST_TASKS"))
	w.lease, _ = time.ParseDuration(os.Getenv("CLAIM_TEST_LEASE"))
	for w.round() {
	}
}

// git runs git, again where others of the same clone are in its way.
func (w *crowdWorker) git(stdin string, args ...string) string {
	c := w.repo.Git().RemoteCmd(args...)
	c.Stdin = []byte(stdin)
	for n := 0; ; n++ {
		result, err := w.repo.Git().Exec(context.Background(), c)
		if err == nil {
			return strings.TrimSuffix(string(result.Stdout), "\n")
		}
		if n == 20 {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// read fetches the target, where it moved: the remote is a directory beside us, so looking needs no process. It has a file for each task that is done.
func (w *crowdWorker) read(ctx context.Context, _ string) (claim.Target, error) {
	tip, err := git.ReferenceID(ctx, w.hub, "refs/heads/target")
	if err != nil || tip == w.tip {
		return w.target, err
	}
	w.git("", "fetch", "-q", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", "hub", tip)
	w.tip, w.target = tip, claim.Target{}
	for i := range w.tasks {
		w.target[fmt.Sprint("t-", i)] = claim.Task{Pending: true}
	}
	for name := range strings.Lines(w.git("", "ls-tree", "-r", "--name-only", w.tip)) {
		delete(w.target, strings.TrimSuffix(strings.TrimPrefix(name, "done/"), "\n"))
	}
	return w.target, nil
}

// round reports whether there is more to do. Whoever finds nothing to work on lands what others did.
func (w *crowdWorker) round() bool {
	ctx := context.Background()
	seen, err := w.see(ctx)
	if err != nil {
		return true
	}
	w.notes.call(func() error { //nolint:errcheck // another one does
		_, err := w.claims.Clear(ctx, seen)
		return err
	})
	var ready []string
	for id := range w.target {
		if s, claimed := seen[id]; !claimed || w.claims.Protocol().Stale(s) != claim.Fresh {
			ready = append(ready, id)
		}
	}
	switch {
	case len(w.target) == 0:
		return false
	case len(ready) > 0:
		slices.Sort(ready)
		among := claim.Candidates(ready, func(string) int { return 0 }, len(seen)+crowdTasks)
		rand.Shuffle(len(among), func(i, k int) { among[i], among[k] = among[k], among[i] })
		if w.work(ctx, among[:min(len(among), crowdTasks/4+rand.IntN(crowdTasks))]) {
			if seen, err = w.see(ctx); err == nil {
				w.land(ctx, seen)
			}
		}
	case !w.land(ctx, seen):
		time.Sleep(time.Duration(500+rand.IntN(1000)) * time.Millisecond)
	}
	return true
}

// see reads claims and target, and notes what it saw.
func (w *crowdWorker) see(ctx context.Context) (seen map[string]claim.Seen, err error) {
	began := uptime()
	err = w.notes.call(func() error {
		seen, err = w.claims.See(ctx, &authority.Target{At: w.read})
		return err
	})
	if err == nil {
		w.notes.saw(seen, w.claims.Protocol(), began, uptime())
	}
	return seen, err
}

// work claims tasks, does them, and sets their claims to landing, with one branch that has all of them. Some take longer than a
// lease, and renew it. It reports whether something is to land.
func (w *crowdWorker) work(ctx context.Context, ids []string) bool {
	w.takes++
	by := authority.Holder{Worker: fmt.Sprint(w.name, ".", w.takes), Lease: w.lease, Lock: true}
	var got []authority.Taking
	err := w.notes.call(func() (err error) {
		got, err = w.claims.Take(ctx, &authority.Target{At: w.read}, by, authority.TakeOptions{Progress: func(claim.Claim) bool { return true }}, ids...)
		return err
	})
	if err != nil {
		appendLine(w.ended, by.Worker)
		return false
	}
	own, held := authority.Own{}, map[string]claim.Held{}
	for _, g := range got {
		if g.Refusal == "" {
			own[g.ID], held[g.ID] = g.Held.Claim.Token, g.Held
			defer g.Lock.Release()
		}
	}
	if len(own) == 0 {
		return false
	}
	fmt.Println("working")
	work := claim.Work{Base: w.tip, Commit: w.commit(w.tip, own), Branch: "refs/heads/crowd/" + authority.NewToken()}
	w.git("", "update-ref", "refs/heads/work/"+by.Worker, work.Commit)
	w.notes.add("made", by.Worker, work.Commit)
	if rand.IntN(w.tasks/10+1) == 0 {
		held = w.takeLong(ctx, own)
	}
	if !w.finish(ctx, held, own, work) {
		w.notes.call(func() error { //nolint:errcheck // what stays is taken when the lease has run out
			_, err := w.claims.Release(ctx, own)
			return err
		})
		return false
	}
	return true
}

// takeLong renews claims for longer than a lease, and returns them.
func (w *crowdWorker) takeLong(ctx context.Context, own authority.Own) map[string]claim.Held {
	for range 5 {
		var lost map[string]claim.Held
		err := w.notes.call(func() (err error) {
			lost, err = w.claims.Renew(ctx, own)
			return err
		})
		if err != nil || len(lost) > 0 {
			return nil
		}
		time.Sleep(w.lease / 3)
	}
	held := map[string]claim.Held{}
	w.notes.call(func() error { //nolint:errcheck // nothing is then held
		seen, err := w.claims.See(ctx, nil)
		for id, s := range seen {
			held[id] = s.Held
		}
		return err
	})
	return held
}

// finish sets claims to landing in one push, and reports whether they are.
func (w *crowdWorker) finish(ctx context.Context, held map[string]claim.Held, own authority.Own, work claim.Work) bool {
	all := claim.Batch{Atomic: true}
	for id, token := range own {
		one, refusal := w.claims.Protocol().Finish(held[id], token, work)
		if refusal != "" {
			return false
		}
		all.Changes, all.Moves = append(all.Changes, one.Changes...), one.Moves
	}
	outcomes, err := w.change(ctx, all)
	return err == nil && !slices.ContainsFunc(outcomes, func(o claim.Outcome) bool { return o != claim.Done })
}

// change makes changes. Where a push is refused, that fetches claims too, and may take away what another process has just fetched;
// what has been seen is not forgotten, even if it fails.
func (w *crowdWorker) change(ctx context.Context, b claim.Batch) (outcomes []claim.Outcome, err error) {
	w.notes.call(func() error { //nolint:errcheck // always nil
		outcomes, err = w.claims.Change(ctx, b)
		return nil
	})
	return outcomes, err
}

// land lands what is in landing, whoever did it. It reports whether there was anything.
func (w *crowdWorker) land(ctx context.Context, seen map[string]claim.Seen) bool {
	var merges []claim.Merge
	tokens := authority.Own{}
	for id, s := range seen {
		c := s.Held.Claim
		m := claim.Merge{Work: claim.Work{Branch: c.Branch, Commit: c.Commit}, Tasks: []claim.Seen{s}}
		if c.State == claim.Landing && len(w.claims.Protocol().Check(m)) == 0 {
			merges, tokens[id] = append(merges, m), c.Token
		}
	}
	if len(merges) == 0 {
		return false
	}
	into := claim.Move{Ref: "refs/heads/target", Old: w.tip, New: w.commit(w.tip, tokens)}
	w.change(ctx, w.claims.Protocol().Land(into, merges)) //nolint:errcheck // the target shows it
	return true
}

// commit makes a commit on top of a base that adds the files of tasks, without a worktree. Its message names their claims.
func (w *crowdWorker) commit(base string, tokens authority.Own) string {
	blob, err := commit.WriteBlob(context.Background(), w.repo, []byte(w.name))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	entries, message := w.git("", "ls-tree", base, "done/"), "crowd\n\n"
	entries = strings.ReplaceAll(entries, "\tdone/", "\t") + "\n"
	for id, token := range tokens {
		entries += "100644 blob " + blob + "\t" + id + "\n"
		message += "done " + id + " " + token + "\n"
	}
	done := w.git(strings.TrimPrefix(entries, "\n"), "mktree")
	root := w.git("040000 tree "+done+"\tdone\n", "mktree")
	return w.git("", "commit-tree", "-p", base, "-m", message, root)
}

// appendLine adds a line to a file that several processes write.
func appendLine(path, text string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(text + "\n")
		f.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
