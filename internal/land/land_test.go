package land_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/land"
)

// take claims a task for somebody else.
func (s *site) take(claims *authority.Claims, shown claim.Target, n int) claim.Held {
	s.t.Helper()
	read := &authority.Target{At: func(context.Context, string) (claim.Target, error) { return shown, nil }}
	got, err := claims.Take(s.t.Context(), read, authority.Holder{Worker: "somebody", Into: target, Lease: time.Hour}, authority.TakeOptions{}, id(n))
	if err != nil || got[0].Refusal != "" {
		s.t.Fatal(got, err)
	}
	return got[0].Held
}

// outcomes checks what became of branches.
func (s *site) outcomes(got map[string]land.Branch, want map[string]land.Outcome) {
	s.t.Helper()
	for name, outcome := range want {
		if got[name].Outcome != outcome {
			s.t.Errorf("%s: %s, want %s (%+v)", name, got[name].Outcome, outcome, got[name])
		}
	}
}

// Done, claimed and landed are one transaction: the claims are gone, the target has the work, and no second landing brings it.
func TestClaimsEndWithTheLanding(t *testing.T) {
	s := newSite(t, 3, nil)
	s.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1}, work{name: "two", files: map[string]string{"2": "2\n"}, task: 2},
		work{name: "again", files: map[string]string{"3": "3\n"}, task: 1, attempt: "bbbb"})
	s.finish(1, "one")
	_, got := s.land(land.Options{All: true})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed})
	if h := s.claimed(1); h.Exists() {
		t.Errorf("the claim is still there: %+v", h)
	}
	message := s.Git("log", "-1", "--format=%B", "main")
	for _, want := range []string{"ralph: land t-001 Do it", "Ralph-Landed: t-001 " + s.Git("rev-parse", "one"), "Ralph-Claim: t-001 "} {
		if !strings.Contains(message, want) {
			t.Errorf("message without %q:\n%s", want, message)
		}
	}
	_, got = s.land(land.Options{Branches: []string{"again", "two", "one"}})
	s.outcomes(got, map[string]land.Outcome{"again": land.NotPending, "two": land.Landed, "one": land.Contained})
	s.Fsck()
}

// The subject of a landing takes 72 columns at most, whatever the script, as that of any commit of ours.
func TestSubjectWidth(t *testing.T) {
	s := newSite(t, 1, nil)
	name := strings.Repeat("漢字", 30)
	s.make(work{name: name, files: map[string]string{"1": "1\n"}})
	_, got := s.land(land.Options{Branches: []string{name}})
	s.outcomes(got, map[string]land.Outcome{name: land.Landed})
	if subject := s.Git("log", "-1", "--format=%s", "main"); displaywidth.String(subject) > 72 || !strings.HasSuffix(subject, "…") {
		t.Errorf("%d columns: %s", displaywidth.String(subject), subject)
	}
}

// The fence: a branch with a task that somebody else has claimed does not land, whatever it is called; the others do.
func TestForeignClaim(t *testing.T) {
	s := newSite(t, 3, nil)
	s.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1}, work{name: "two", files: map[string]string{"2": "2\n"}, task: 2})
	_, claims := s.open()
	s.take(claims, claim.Target{id(1): {Pending: true}}, 1)
	_, got := s.land(land.Options{Branches: []string{"one", "two"}})
	s.outcomes(got, map[string]land.Outcome{"one": land.Claimed, "two": land.Landed})
	if !s.claimed(1).Exists() || !strings.Contains(s.shown(1), `"s": "p"`) {
		t.Error("the claim of somebody else was changed")
	}
}

// Two branches with the same task: one of them lands.
func TestTwoBranchesOneTask(t *testing.T) {
	s := newSite(t, 1, nil)
	s.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1}, work{name: "two", files: map[string]string{"2": "2\n"}, task: 1, attempt: "bbbb"})
	_, got := s.land(land.Options{Branches: []string{"one", "two"}})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed, "two": land.NotPending})
}

// A conflict returns the claim with the paths, after the other branch has landed; the third time the task is set aside.
func TestConflictIsReturned(t *testing.T) {
	s := newSite(t, 2, map[string]string{"file": "x\n"})
	s.make(work{name: "one", files: map[string]string{"file": "1\n"}, task: 1}, work{name: "two", files: map[string]string{"file": "2\n"}, task: 2})
	s.finish(1, "one")
	held := s.finish(2, "two")
	for n := range 3 {
		_, got := s.land(land.Options{All: true})
		if got["two"].Outcome != land.Conflict || fmt.Sprint(got["two"].Paths) != "[file]" {
			t.Fatalf("%+v", got)
		}
		h := s.claimed(2)
		if n == 2 {
			if h.Exists() || got["two"].Then != "set aside" {
				t.Errorf("after %d returns: %+v, %+v", n, h, got["two"])
			}
			break
		}
		if h.Claim.State != claim.Working || h.Claim.Returns != n+1 || !strings.Contains(h.Claim.Feedback, "file") || h.Claim.Token != held.Claim.Token {
			t.Fatalf("return %d: %+v", n+1, h)
		}
		_, claims := s.open()
		if _, err := claims.Finish(t.Context(), id(2), held.Claim.Token, s.workOf("two")); err != nil {
			t.Fatal(err)
		}
	}
	if line := s.shown(2); !strings.Contains(line, `"deps": ["i-`) {
		t.Errorf("the task does not wait for an issue: %s", line)
	}
	s.Fsck()
}

// A branch that deletes the plan's file, or makes something else of it, does not take the plan from everybody.
func TestDeletedPlan(t *testing.T) {
	s := newSite(t, 1, nil)
	s.Git("checkout", "-qb", "deletes")
	s.Git("rm", "-q", "ralph/plan.jsonl")
	s.Git("commit", "-qm", "deletes")
	s.Git("checkout", "-qb", "links", "main")
	link := s.Git("hash-object", "-w", "--stdin")
	s.Git("update-index", "--cacheinfo", "120000,"+link+",ralph/plan.jsonl")
	s.Git("commit", "-qm", "links")
	s.Git("checkout", "-qf", "--detach", "main")
	_, got := s.land(land.Options{Branches: []string{"deletes", "links"}})
	s.outcomes(got, map[string]land.Outcome{"deletes": land.InvalidPlan, "links": land.InvalidPlan})
	s.shown(1)
}

// A branch that empties the plan does not cancel everything.
func TestEmptiedPlan(t *testing.T) {
	s := newSite(t, 2, nil)
	s.make(work{name: "empties", files: map[string]string{"ralph/plan.jsonl": ""}})
	s.make(work{name: "cancels", files: map[string]string{"ralph/plan.jsonl": `{"t": "spec", "spec": "s.md"}` + "\n"}})
	_, got := s.land(land.Options{Branches: []string{"empties"}})
	s.outcomes(got, map[string]land.Outcome{"empties": land.InvalidPlan})
	if s.shown(1) == "" || s.shown(2) == "" {
		t.Error("the target lost its tasks")
	}
	_, got = s.land(land.Options{Branches: []string{"cancels"}})
	s.outcomes(got, map[string]land.Outcome{"cancels": land.Landed})
}

// A claim in landing whose task the target does not have is over: `land --all` leaves its branch out. Named, it lands.
func TestClaimThatIsOver(t *testing.T) {
	s := newSite(t, 1, nil)
	s.make(work{name: "one", files: map[string]string{"1": "1\n"}})
	s.finish(7, "one")
	_, got := s.land(land.Options{All: true})
	s.outcomes(got, map[string]land.Outcome{"one": land.NotPending})
	if s.claimed(7).Exists() {
		t.Error("the claim is still there")
	}
	_, got = s.land(land.Options{Branches: []string{"one"}})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed})
}

// Whoever rewrites the target may do so to remove something: work that began before does not bring it back.
func TestRewrittenTarget(t *testing.T) {
	s := newSite(t, 2, nil)
	s.base = s.Commit("secret", map[string]string{"secret": "s3cret\n"})
	s.Git("branch", "-f", "main", s.base)
	s.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1})
	s.finish(1, "one")
	s.Git("branch", "-f", "main", "main~1")
	_, got := s.land(land.Options{All: true})
	s.outcomes(got, map[string]land.Outcome{"one": land.Rewritten})
	if out := s.Git("log", "--format=%s", "main", "--", "secret"); out != "" {
		t.Error("the target has the secret again")
	}
}

// Of two reviews of one task, as by two clones, the first one lands: the task is accepted once.
func TestOvertakenReview(t *testing.T) {
	s := newSite(t, 2, nil)
	s.base = s.Commit("done", map[string]string{"ralph/plan.jsonl": s.plan(map[int]string{1: "aaaa", 2: "bbbb"})})
	s.Git("branch", "-f", "main", s.base)
	accepted := s.plan(map[int]string{2: "bbbb"})
	accepted = strings.Replace(accepted, strings.SplitAfter(accepted, "\n")[1], "", 1)
	for _, name := range []string{"one", "two"} {
		s.Git("checkout", "-q", "-b", name, s.base)
		s.Commit("accept t-001 on "+name, map[string]string{"ralph/plan.jsonl": accepted})
		s.Git("checkout", "-q", "--detach")
	}
	_, got := s.land(land.Options{Branches: []string{"one"}, Review: true})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed})
	_, got = s.land(land.Options{Branches: []string{"two"}, Review: true})
	s.outcomes(got, map[string]land.Outcome{"two": land.Overtaken})
	_, got = s.land(land.Options{Branches: []string{"two"}})
	s.outcomes(got, map[string]land.Outcome{"two": land.Landed})
}

// A rebase of another branch that moves the target too, at its end, would take the landing back: the target does not move.
func TestTargetThatARebaseMoves(t *testing.T) {
	s := newSite(t, 1, nil)
	s.NeedVersion(2, 38)
	root := s.base
	s.base = s.Commit("more", map[string]string{"more": "x\n"})
	s.Git("branch", "-f", "main", s.base)
	s.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1}, work{name: "topic", files: map[string]string{"2": "2\n"}})
	s.Git("worktree", "add", "-q", "../other", "topic")
	other := s.At("../other")
	if out, err := other.TryGit("rebase", "-q", "--update-refs", "--force-rebase", "--exec", "false", root); err == nil {
		t.Fatalf("the rebase does not stop: %s", out)
	}
	st, claims := s.open()
	o := land.Options{Into: target, Branches: []string{"one"}}
	if err := o.Configure(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	if _, err := land.Run(t.Context(), st, claims, o); !errors.Is(err, land.ErrBusy) || s.Git("rev-parse", "main") != s.base {
		t.Errorf("landed: %v", err)
	}
	other.Git("rebase", "--abort")
	_, got := s.land(land.Options{Branches: []string{"one"}})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed})
}

// A worktree of the target that is on a disk which is away, or that cannot be opened, would undo the landing when it is used again:
// the target does not move. One that was deleted is in nobody's way.
func TestTargetInWorktreeThatCannotBeOpened(t *testing.T) {
	s := newSite(t, 1, nil)
	s.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1})
	s.Git("worktree", "add", "-q", "../other", "main")
	other := s.At("../other")
	st, claims := s.open()
	refused := func(why string) {
		t.Helper()
		o := land.Options{Into: target, Branches: []string{"one"}}
		if err := o.Configure(t.Context(), st); err != nil {
			t.Fatal(err)
		}
		if _, err := land.Run(t.Context(), st, claims, o); !errors.Is(err, land.ErrBusy) || s.Git("rev-parse", "main") != s.base {
			t.Errorf("%s: %v", why, err)
		}
	}
	link := other.ReadFile(".git")
	other.WriteFile(".git", "garbage\n")
	refused("it cannot be opened")
	other.WriteFile(".git", link)
	s.Git("worktree", "lock", other.Dir)
	if err := os.Rename(other.Dir, other.Dir+"-away"); err != nil {
		t.Fatal(err)
	}
	refused("it is away")
	s.Git("worktree", "unlock", other.Dir)
	_, got := s.land(land.Options{Branches: []string{"one"}})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed})
}

// Landings of many at once, and of a user who commits to the target all the time, lose nothing. `git commit` reads the index before it
// locks it: it may write back one that a landing has replaced meanwhile, and then fails. Those look like changes of the user's until
// the index is read anew; so the user does that before each try, and the landings try again too.
func TestConcurrentLandings(t *testing.T) {
	const workers, each = 4, 3
	s := newSite(t, workers*each, nil)
	var all []work
	for n := 1; n <= workers*each; n++ {
		all = append(all, work{name: fmt.Sprint("b", n), files: map[string]string{fmt.Sprint("d", n%3, "/f", n): "x\n"}, task: n})
	}
	s.make(all...)
	s.Git("checkout", "-q", "main")
	var group sync.WaitGroup
	for w := range workers {
		st, claims := s.open()
		group.Go(func() {
			for n := range each {
				o := land.Options{Into: target, Branches: []string{fmt.Sprint("b", w*each+n+1)}}
				if err := o.Configure(t.Context(), st); err != nil {
					t.Error(err)
				}
				o.Wait = time.Minute
				got, err := land.Run(t.Context(), st, claims, o)
				for errors.Is(err, commit.ErrInTheWay) {
					time.Sleep(10 * time.Millisecond)
					got, err = land.Run(t.Context(), st, claims, o)
				}
				if err != nil || got.Landed() != 1 {
					t.Errorf("%+v, %v", got, err)
				}
			}
		})
	}
	for n := range 10 {
		s.WriteFile("mine", fmt.Sprint(n))
		for range 200 {
			if _, err := s.TryGit("read-tree", "HEAD"); err != nil {
				continue
			}
			if _, err := s.TryGit("add", "mine"); err != nil {
				continue
			}
			if _, err := s.TryGit("commit", "-qm", "mine"); err == nil {
				break
			}
		}
	}
	group.Wait()
	if n := s.Git("rev-list", "--count", "--grep=^mine", "main"); n != "10" {
		t.Errorf("%s commits of the user, want 10", n)
	}
	if n := strings.Count(s.Git("show", "main:ralph/plan.jsonl"), `"s": "d"`); n != workers*each {
		t.Errorf("%d tasks are done, want %d", n, workers*each)
	}
	if out := s.Git("status", "--porcelain"); out != "" {
		t.Errorf("the worktree did not follow: %s", out)
	}
	s.Fsck()
}

// A claim whose task is done in the target by another way, as after a squash by a forge, is deleted; one whose branch is gone is
// reported, and the others land.
func TestClaimsOfOthers(t *testing.T) {
	s := newSite(t, 3, nil)
	s.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1}, work{name: "two", files: map[string]string{"2": "2\n"}, task: 2},
		work{name: "three", files: map[string]string{"3": "3\n"}, task: 3})
	s.finish(1, "one")
	s.finish(2, "two")
	held := s.finish(3, "three")
	s.make(work{name: "squash", files: map[string]string{"1": "1\n"}, task: 1, message: "one (#1)"})
	s.Git("branch", "-f", "main", "squash")
	text := strings.Replace(held.Claim.Text(), held.Claim.Commit, strings.Repeat("1", 40), 1)
	s.Git("update-ref", "refs/ralph/claims/"+id(3), s.GitIn(text, "hash-object", "-w", "--stdin"))
	_, got := s.land(land.Options{All: true})
	s.outcomes(got, map[string]land.Outcome{"one": land.NotPending, "two": land.Landed, "three": land.Missing})
	if s.claimed(1).Exists() || s.claimed(2).Exists() || !s.claimed(3).Exists() {
		t.Errorf("claims: %+v, %+v, %+v", s.claimed(1), s.claimed(2), s.claimed(3))
	}
}
