package store

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/planrepair"
	"git-ralph/internal/test/gittest"
)

// besideSide returns a repository whose branch side has a commit of code; main has one that adds t-bbbb.
func besideSide(t *testing.T) (*gittest.Repo, *Store) {
	t.Helper()
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.Git("checkout", "-q", "-b", "side")
	r.Commit("theirs", map[string]string{"f": "theirs\n"})
	r.Git("checkout", "-q", "main")
	s.mustUpdate(t, adding("bbbb"))
	return r, s
}

// heldBy starts git and returns once a hook holds it. What it returns lets git go on, and waits for its end.
func heldBy(t *testing.T, r *gittest.Repo, name, condition string, args ...string) func() {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	hook(t, r, name, condition+"\nmkdir .git/held 2>/dev/null || exit 0\nuntil [ -e .git/go ]; do sleep 0.01; done\n")
	ended := make(chan bool)
	go func() {
		r.TryGit(args...)
		close(ended)
	}()
	for !r.Exists(".git/held") {
		select {
		case <-ended:
			t.Fatalf("git %s did not run %s", args[0], name)
		case <-time.After(time.Millisecond):
		}
	}
	return func() {
		r.WriteFile(".git/go", "")
		<-ended
	}
}

// Receipts come back with the change that they are of, and wait with one that is not committed.
func TestReceiptsComeBack(t *testing.T) {
	r, s := besideSide(t)
	with := func(receipt, task string) Request {
		request := adding(task)
		request.Along = func(made Made) (Along, error) {
			return Along{Trailers: []string{plan.EvidenceTrailer + made.Change.Events[0].ID + " " + receipt}}, nil
		}
		return request
	}
	s.mustUpdate(t, with("{1}", "cccc"))
	r.Git("update-ref", "-m", "reset: moving to HEAD", "HEAD", "HEAD~1")
	r.Git("read-tree", "--reset", "-u", "HEAD")
	later := with("{2}", "dddd")
	later.NoCommit = true
	s.mustUpdate(t, later)
	s.mustUpdate(t, adding("eeee"))
	message := r.Git("log", "--format=%B")
	for _, line := range []string{"Ralph-Evidence: t-cccc {1}", "Ralph-Evidence: t-dddd {2}", "Ralph-Event: added t-cccc ", "Ralph-Event: added t-dddd "} {
		if strings.Count(message, line) != 1 {
			t.Errorf("%q is %d times in\n%s", line, strings.Count(message, line), message)
		}
	}
}

// docs/promises.md, "One mutation, one commit": a committed change that a git command takes away, because it began before our
// commit and ended after it, is brought back by the next mutation, under the events that it was committed with.
func TestChangeThatARacingGitTookAwayComesBack(t *testing.T) {
	amend := func(r *gittest.Repo) { // adds code, as the user does
		r.WriteFile("code", "x\n")
		r.Git("add", "code")
		r.Git("commit", "-q", "--amend", "--no-edit")
	}
	raced := func(r *gittest.Repo) { // a checkout leaves the files of the commit before ours
		r.Git("checkout", "-q", "main")
		r.Git("read-tree", "--reset", "-u", "HEAD~1")
		amend(r)
	}
	for name, race := range map[string]func(*testing.T, *gittest.Repo, *Store){
		"reset --hard, as stash runs it": func(t *testing.T, r *gittest.Repo, s *Store) {
			git := heldBy(t, r, "post-index-change", `[ "$1" = 1 ] || exit 0`, "reset", "-q", "--hard") // it moves HEAD only then
			s.mustUpdate(t, adding("cccc"))
			git()
		},
		"reset --hard, which reads HEAD before two of our commits": func(_ *testing.T, r *gittest.Repo, s *Store) {
			s.mustUpdate(t, adding("cccc"))
			r.Git("update-ref", "-m", "reset: moving to HEAD", "HEAD", "HEAD~2")
			r.Git("read-tree", "--reset", "-u", "HEAD")
		},
		"rebase --abort": func(t *testing.T, r *gittest.Repo, s *Store) {
			r.WriteFile("f", "ours\n")
			r.Git("add", "f")
			r.Git("commit", "-q", "--amend", "--no-edit")
			git := heldBy(t, r, "pre-rebase", "", "rebase", "-q", "side") // it has read where main is
			s.mustUpdate(t, adding("cccc"))
			git()
			r.Git("rebase", "--abort")
		},
		"an amendment that overtakes the checkout": func(_ *testing.T, r *gittest.Repo, s *Store) {
			s.mustUpdate(t, adding("cccc"))
			r.Git("read-tree", "--reset", "-u", "HEAD~1")
			amend(r)
			r.Git("checkout", "-q", "main")
		},
		"an amendment during a checkout of another branch": func(_ *testing.T, r *gittest.Repo, s *Store) {
			s.mustUpdate(t, adding("cccc"))
			r.Git("read-tree", "--reset", "-u", "side")
			amend(r)
			r.Git("checkout", "-q", "side")
			r.Git("checkout", "-q", "main")
		},
		"an amendment of the index alone": func(_ *testing.T, r *gittest.Repo, s *Store) {
			s.mustUpdate(t, adding("cccc"))
			r.Git("checkout", "-q", "main")
			r.Git("read-tree", "HEAD~1")
			amend(r)
		},
		"a merge after the amendment": func(_ *testing.T, r *gittest.Repo, s *Store) {
			s.mustUpdate(t, adding("cccc"))
			raced(r)
			r.Git("merge", "-q", "--no-edit", "-X", "ours", "side")
		},
		"a mutation during a merge after the amendment": func(_ *testing.T, r *gittest.Repo, s *Store) {
			s.mustUpdate(t, adding("cccc"))
			raced(r)
			r.Git("merge", "-q", "--no-commit", "-X", "ours", "side")
			if res := s.mustUpdate(t, adding("eeee")); res.Committed {
				t.Errorf("%+v", res)
			}
			r.Git("merge", "--quit")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, s := besideSide(t)
			race(t, r, s)
			res := s.mustUpdate(t, adding("dddd"))
			if !res.Reinstated || !res.Committed {
				t.Errorf("%+v", res)
			}
			for _, id := range []string{"t-bbbb", "t-cccc", "t-dddd"} {
				if !strings.Contains(r.Git("show", "HEAD:"+DefaultPath), id) {
					t.Errorf("%s is lost", id)
				}
				if !strings.Contains(r.Git("log", "--format=%B"), "Ralph-Event: added "+id+" ") {
					t.Errorf("%s is in no message", id)
				}
			}
			if again := s.mustUpdate(t, adding("ffff")); again.Reinstated {
				t.Errorf("again: %+v", again)
			}
		})
	}
}

// What was brought back and not committed, because plans are not committed here, is the user's to remove.
func TestRegainedOnceOnly(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	s.mustUpdate(t, adding("bbbb"))
	r.Git("update-ref", "-m", "reset: moving to HEAD", "HEAD", "HEAD~1")
	r.Git("read-tree", "--reset", "-u", "HEAD")
	r.Git("config", "ralph.commit", "off")
	s = open(t, r)
	if res := s.mustUpdate(t, adding("cccc")); !res.Reinstated || res.Committed {
		t.Errorf("%+v", res)
	}
	s.mustUpdate(t, Request{Do: func(p *plan.Plan, _ Inputs) (plan.Change, error) {
		return p.Cancel([]string{"t-bbbb"}, plan.CancelCascade)
	}})
	s.mustUpdate(t, adding("dddd"))
	if line(r, "t-bbbb") != "" {
		t.Errorf("it is back again: %s", r.ReadFile(DefaultPath))
	}
}

// A repair of the file brings it back too: after the commit of the repair nobody would look for it.
func TestRegainedByRepair(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	s.mustUpdate(t, adding("bbbb"))
	r.Git("update-ref", "-m", "reset: moving to HEAD", "HEAD", "HEAD~1")
	r.Git("read-tree", "--reset", "-u", "HEAD")
	r.WriteFile(DefaultPath, r.ReadFile(DefaultPath)+"<<<<<<< broken\n")
	res := s.mustUpdate(t, Request{Do: unchanged, Repair: func(found planrepair.File) (merge.Result, error) {
		return merge.Result{Data: []byte(strings.ReplaceAll(string(found.Data), "<<<<<<< broken\n", ""))}, nil
	}})
	if !res.Reinstated || !strings.Contains(r.Git("show", "HEAD:"+DefaultPath), "t-bbbb") {
		t.Errorf("%+v", res)
	}
}

// A reset that the user asks for, to the commit before ours, brings nothing back.
func TestResetOnPurpose(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	s.mustUpdate(t, adding("bbbb"))
	r.Git("reset", "-q", "--hard", "HEAD~1")
	if res := s.mustUpdate(t, adding("cccc")); res.Reinstated || strings.Contains(r.ReadFile(DefaultPath), "t-bbbb") {
		t.Errorf("%+v", res)
	}
}

// docs/promises.md, "Your own edits": the older plan that a checkout left in the file and the index does not become ours by a
// mutation in the middle of a merge: when the merge is over, no commit of ours removes what it lacks.
func TestMutationDuringMergeMakesNoRemovalOurs(t *testing.T) {
	r, s := besideSide(t)
	r.Git("merge", "-q", "--no-commit", "side")
	r.Git("restore", "--source=HEAD~1", "--staged", "--worktree", "--", DefaultPath)
	for _, name := range []string{"cccc", "dddd"} {
		if res := s.mustUpdate(t, adding(name)); res.Committed {
			t.Errorf("%+v", res)
		}
	}
	if err := os.Remove(r.Path(".git/MERGE_HEAD")); err != nil { // as a checkout of the same branch does
		t.Fatal(err)
	}
	if refusal := impatient(t, r).mustRefuse(t, r, adding("eeee")); !strings.Contains(refusal.Error(), "remove t-bbbb") {
		t.Errorf("error %v", refusal)
	}
}
