package store

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
	"git-ralph/internal/test/gittest"
)

// hook installs a git hook.
func hook(t *testing.T, r *gittest.Repo, name, script string) {
	t.Helper()
	r.WriteFile(".git/hooks/"+name, "#!/bin/sh\n"+script)
	if err := os.Chmod(r.Path(".git/hooks/"+name), 0o777); err != nil {
		t.Fatal(err)
	}
}

// HEAD moves to a branch without a commit while a mutation runs: the plan is
// not cut down to what the mutation adds.
func TestHeadBecomesUnborn(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	before := r.ReadFile(DefaultPath)
	_, err := s.Update(t.Context(), Request{Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		r.Git("symbolic-ref", "HEAD", "refs/heads/fresh")
		return adding("new1").Do(p, in)
	}})
	if !errors.Is(err, ErrMoved) || r.ReadFile(DefaultPath) != before {
		t.Errorf("error %v, plan %s", err, r.ReadFile(DefaultPath))
	}
	r.Git("symbolic-ref", "HEAD", "refs/heads/main")
	if r.Git("status", "--porcelain") != "" {
		t.Errorf("status %s", r.Git("status", "--porcelain"))
	}
}

// `git branch -m` deletes the branch before it moves HEAD. In between the branch
// is not taken for one without a commit.
func TestBranchIsRenamed(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	tip := r.Git("rev-parse", "HEAD")
	r.WriteFile(".git/renamed", tip+"\n")
	r.WriteFile(".git/next-head", "ref: refs/heads/renamed\n")
	r.Remove(".git/refs/heads/main")
	moved := make(chan error, 1)
	time.AfterFunc(50*time.Millisecond, func() {
		moved <- errors.Join(os.Rename(r.Path(".git/renamed"), r.Path(".git/refs/heads/renamed")), os.Rename(r.Path(".git/next-head"), r.Path(".git/HEAD")))
	})
	res := s.mustUpdate(t, adding("new1"))
	if err := <-moved; err != nil {
		t.Fatal(err)
	}
	if !res.Committed || res.Branch != "renamed" || r.Git("rev-parse", "renamed~1") != tip {
		t.Errorf("result %+v", res)
	}
}

// A hook that refuses a commit with staged changes leaves index and file as
// they were, and the next try works.
func TestWithStagedRefused(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	hook(t, r, "pre-commit", "exit 1\n")
	r.WriteFile("code.txt", "code\n")
	r.Git("add", "code.txt")
	request := adding("new1")
	request.StagedMessage = "with code"
	if _, err := s.Update(t.Context(), request); !errors.Is(err, commit.ErrCommitRefused) {
		t.Errorf("error %v", err)
	}
	if status := r.Git("status", "--porcelain"); status != "A  code.txt" {
		t.Errorf("status %q", status)
	}
	r.Remove(".git/hooks/pre-commit")
	if res := s.mustUpdate(t, request); !res.Committed || r.Git("status", "--porcelain") != "" {
		t.Errorf("result %+v", res)
	}
}

// --with-staged keeps the trailers of the user's message in one block with ours.
func TestWithStagedTrailers(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.WriteFile("code.txt", "code\n")
	r.Git("add", "code.txt")
	request := adding("new1")
	request.StagedMessage = "Subject: with a colon\n\nSigned-off-by: A <a@example.org>"
	s.mustUpdate(t, request)
	trailers := strings.Split(r.Git("log", "-1", "--format=%(trailers:only)"), "\n")
	if len(trailers) < 3 || !strings.HasPrefix(trailers[0], "Signed-off-by") || !strings.HasPrefix(trailers[1], "Ralph-Event: added t-new1") {
		t.Errorf("trailers %q", trailers)
	}
	if subject := r.Git("log", "-1", "--format=%s"); subject != "Subject: with a colon" {
		t.Errorf("subject %q", subject)
	}
}

// A merge that brings a change of the plan takes any number of mutations, and
// goes on.
func TestMutationsDuringMerge(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.Commit("base", map[string]string{"f": "base\n"})
	r.Git("checkout", "-q", "-b", "side")
	s.mustUpdate(t, adding("side"))
	r.Commit("theirs", map[string]string{"f": "theirs\n"})
	r.Git("checkout", "-q", "main")
	r.Commit("ours", map[string]string{"f": "ours\n"})
	r.TryGit("merge", "side")
	for _, name := range []string{"one", "two"} {
		if res := s.mustUpdate(t, adding(name)); res.Committed || res.Reason != "merge in progress" {
			t.Errorf("%s: %+v", name, res)
		}
	}
	r.WriteFile("f", "both\n")
	r.Git("add", "f")
	r.Git("commit", "-q", "--no-edit")
	s.mustUpdate(t, adding("after"))
	for _, id := range []string{"t-side", "t-one", "t-two", "t-after"} {
		if !strings.Contains(r.Git("show", "HEAD:"+DefaultPath), id) {
			t.Errorf("%s is lost", id)
		}
	}
}

// A cherry-pick of several commits, one of which changes the plan, goes on after
// a mutation in the middle.
func TestMutationDuringCherryPick(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.Commit("base", map[string]string{"f": "base\n", DefaultPath: r.ReadFile(DefaultPath) + `{"t": "zz", "id": "zz"}` + "\n"})
	r.Git("checkout", "-q", "-b", "side")
	r.Commit("theirs", map[string]string{"f": "theirs\n"})
	r.Commit("their plan", map[string]string{DefaultPath: r.ReadFile(DefaultPath) + `{"t": "zzz", "id": "zzz"}` + "\n"})
	r.Git("checkout", "-q", "main")
	r.Commit("ours", map[string]string{"f": "ours\n"})
	r.TryGit("cherry-pick", "main..side")
	if res := s.mustUpdate(t, adding("aaaa")); res.Reason != "cherry-pick in progress" {
		t.Errorf("%+v", res)
	}
	r.WriteFile("f", "both\n")
	r.Git("add", "f")
	r.Setenv("GIT_EDITOR", ":").Git("cherry-pick", "--continue")
	s.mustUpdate(t, adding("after"))
	for _, id := range []string{"zzz", "t-aaaa", "t-after"} {
		if !strings.Contains(r.Git("show", "HEAD:"+DefaultPath), id) {
			t.Errorf("%s is lost", id)
		}
	}
}

// A hook of `git commit -a`, which commits an index of its own: the file is
// written, and the user's commit goes on.
func TestMutationInPreCommit(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	hook(t, r, "pre-commit", "printf %s \"$GIT_INDEX_FILE\" >../index-file\n")
	r.Commit("learn the name", map[string]string{"f": "1\n"})
	r.WriteFile("f", "2\n")
	r.Git("commit", "-q", "-am", "learn")
	index := r.ReadFile("../index-file")
	inside := open(t, r.Setenv("GIT_INDEX_FILE", index))
	if res := inside.mustUpdate(t, adding("new1")); res.Committed || res.Reason != "commit in progress" {
		t.Errorf("GIT_INDEX_FILE=%s: %+v", index, res)
	}
	if res := s.mustUpdate(t, adding("new2")); !res.Committed || !strings.Contains(r.Git("show", "HEAD:"+DefaultPath), "t-new1") {
		t.Errorf("%+v", res)
	}
}

// What the user staged of the plan, its removal too, is not undone.
func TestStagedRemoval(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.Git("rm", "-q", "--cached", DefaultPath)
	if _, err := s.Update(t.Context(), adding("new1")); !errors.Is(err, ErrStaged) {
		t.Errorf("error %v", err)
	}
}

// Line ends that git converts only in new files: the commit holds what git
// stages.
func TestCarriageReturns(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r)
	r.Commit("crlf", map[string]string{DefaultPath: strings.ReplaceAll(r.ReadFile(DefaultPath), "\n", "\r\n")})
	for _, value := range []string{"input", "true"} {
		r.Git("config", "core.autocrlf", value)
		if res := open(t, r).mustUpdate(t, adding(value)); !res.Committed || r.Git("status", "--porcelain") != "" {
			t.Errorf("core.autocrlf=%s: %+v, %s", value, res, r.Git("status", "--porcelain"))
		}
	}
}

// The branch is locked by another git process: the error says so.
func TestBranchLocked(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "ralph.lockTimeout", "100ms")
	s := newStore(t, r)
	before := r.ReadFile(DefaultPath)
	r.WriteFile(".git/refs/heads/main.lock", "")
	_, err := s.Update(t.Context(), adding("new1"))
	if _, ok := errors.AsType[*commit.RefLockedError](err); !ok || r.ReadFile(DefaultPath) != before || r.Git("status", "--porcelain") != "" {
		t.Errorf("error %v, status %s", err, r.Git("status", "--porcelain"))
	}
	r.Remove(".git/refs/heads/main.lock")
	s.mustUpdate(t, adding("new1"))
}

// In a hook of a linked worktree git sets GIT_DIR alone; the plan is still the
// one at the root, whatever directory the hook is in.
func TestHookInLinkedWorktree(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r)
	r.Commit("sub", map[string]string{"sub/f": "x\n"})
	r.Git("worktree", "add", "-q", "-b", "side", "../linked")
	linked := r.At("../linked")
	inHook := linked.Setenv("GIT_DIR", linked.Git("rev-parse", "--absolute-git-dir")).At("sub")
	s := open(t, inHook)
	if s.Repo().Root() != linked.Dir {
		t.Errorf("root is %s", s.Repo().Root())
	}
	s.mustUpdate(t, adding("new1"))
	if !strings.Contains(linked.Git("show", "side:"+DefaultPath), "t-one1") || linked.Exists("sub/ralph") {
		t.Error("the plan was replaced")
	}
}

// The directory that the user is in is where it lies, not where a link to it lies.
func TestLinkedDirectory(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r)
	r.WriteFile("sub/f", "x\n")
	other := gittest.NewRepo(t)
	if err := os.Symlink(r.Path("sub"), other.Path("link")); err != nil {
		t.Skip(err)
	}
	s := open(t, other.At("link"))
	if s.Repo().Root() != r.Dir {
		t.Errorf("root is %s, want %s", s.Repo().Root(), r.Dir)
	}
}

// The branch is amended while a mutation runs, by a git whose index was older than HEAD, so that it loses a task that was
// committed: the mutation does not take that for a removal. The file still has the task, and the user decides.
func TestHeadIsAmendedWithoutTask(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "ralph.lockTimeout", "1ms")
	s := newStore(t, r)
	older := r.Git("rev-parse", "HEAD^{tree}")
	s.mustUpdate(t, adding("bbbb"))
	_, err := s.Update(t.Context(), Request{Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		r.Git("update-ref", "refs/heads/main", r.Git("commit-tree", "-p", "HEAD~1", "-m", "amended", older))
		return adding("cccc").Do(p, in)
	}})
	if err == nil || !strings.Contains(r.ReadFile(DefaultPath), "t-bbbb") {
		t.Errorf("error %v, plan %s", err, r.ReadFile(DefaultPath))
	}
	s = open(t, r)
	if _, err := s.Update(t.Context(), adding("cccc")); err == nil || !strings.Contains(err.Error(), "t-bbbb") {
		t.Errorf("error %v", err)
	}
}

// A checkout that began before our commit leaves the files of the commit before it, and git commit --amend then commits these
// under our message: the next mutation brings the change back, under its own events. What a person amends on purpose, without
// such a checkout, stays as it is, even under our message; so does what another message says.
func TestAmendedAwayChangeComesBack(t *testing.T) {
	for name, test := range map[string]struct {
		amend func(*gittest.Repo)
		back  bool
	}{
		"from an older index": {func(r *gittest.Repo) {
			r.Git("commit", "-q", "--amend", "--no-edit", "--reset-author")
			r.Git("checkout", "-q", "main")
			r.Git("read-tree", "--reset", "-u", "HEAD~2")
			r.WriteFile("code", "x\n")
			r.Git("add", "code")
			r.Git("commit", "-q", "--amend", "--no-edit")
			r.WriteFile("code", "xx\n")
			r.Git("commit", "-q", "-a", "--amend", "--no-edit")
		}, true},
		"on purpose, under our message": {func(r *gittest.Repo) {
			r.Git("restore", "--source=HEAD~2", "--staged", "--worktree", DefaultPath)
			r.WriteFile("code", "x\n")
			r.Git("add", "code")
			r.Git("commit", "-q", "--amend", "--no-edit")
		}, false},
		"on purpose, later": {func(r *gittest.Repo) {
			r.Git("checkout", "-q", "main")
			r.Git("restore", "--source=HEAD~2", "--staged", "--worktree", DefaultPath)
			r.WriteFile("code", "x\n")
			r.Git("add", "code")
			later := r.Setenv("GIT_COMMITTER_DATE", strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10)+" +0000")
			later.Git("commit", "-q", "--amend", "--no-edit")
		}, false},
		"on purpose": {func(r *gittest.Repo) {
			r.Git("checkout", "-q", "main")
			r.Git("read-tree", "--reset", "-u", "HEAD~2")
			r.WriteFile("code", "x\n")
			r.Git("add", "code")
			r.Git("commit", "-q", "--amend", "-m", "without the tasks")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			s := newStore(t, r)
			s.mustUpdate(t, adding("bbbb"))
			s.mustUpdate(t, adding("cccc"))
			test.amend(r)
			res := s.mustUpdate(t, adding("dddd"))
			place := r.Git("show", "HEAD:"+DefaultPath)
			if res.Reinstated != test.back || strings.Contains(place, "t-bbbb") != test.back || strings.Contains(place, "t-cccc") != test.back || !strings.Contains(place, "t-dddd") {
				t.Errorf("%+v: %s", res, place)
			}
			if body := r.Git("log", "-1", "--format=%B"); strings.Contains(body, "Ralph-Event: added t-cccc ") != test.back {
				t.Errorf("message %s", body)
			}
			if again := s.mustUpdate(t, adding("eeee")); again.Reinstated || r.Git("status", "--porcelain") != "" {
				t.Errorf("again: %+v", again)
			}
		})
	}
}
