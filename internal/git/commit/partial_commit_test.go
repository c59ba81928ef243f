package commit_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/test/gittest"
)

// TestCommitOnly guards: a commit of paths holds what became of them, however it is staged, and nothing else; what else
// is staged stays so. A refused commit leaves the index as it was.
func TestCommitOnly(t *testing.T) {
	for name, c := range map[string]struct {
		work  string // of an agent
		paths []string
		want  string // committed
	}{
		"changed":               {"echo 2 >k", []string{"k"}, "M\tk"},
		"removed":               {"rm k", []string{"k"}, "D\tk"},
		"removed and staged":    {"git rm -q k", []string{"k"}, "D\tk"},
		"renamed":               {"git mv k l", []string{"k", "l"}, "D\tk\nA\tl"},
		"renamed by hand":       {"mv k l && git add k l", []string{"k", "l"}, "D\tk\nA\tl"},
		"untracked, but there":  {"git rm -q --cached k", []string{"k"}, "D\tk"},
		"untracked and ignored": {"echo /d >.git/info/exclude && git rm -rq --cached d", []string{"d/x", "d/y"}, "D\td/x\nD\td/y"},
		"a file to a directory": {"rm k && mkdir k && echo in >k/in", []string{"k", "k/in"}, "D\tk\nA\tk/in"},
		"the same, not named":   {"rm k && mkdir k && echo in >k/in", []string{"k"}, "D\tk"},
		"the same, staged":      {"rm k && mkdir k && echo in >k/in && git add k", []string{"k", "k/in"}, "D\tk\nA\tk/in"},
		"a directory to a file": {"rm -r d && echo in >d", []string{"d/x", "d/y", "d"}, "A\td\nD\td/x\nD\td/y"},
		"the same, not named ":  {"rm -r d && echo in >d", []string{"d/x", "d/y"}, "D\td/x\nD\td/y"},
		"a directory to a link": {"mv d e && ln -s e d", []string{"d/x", "d/y", "e/x"}, "D\td/x\nD\td/y\nA\te/x"},
		"the link, too":         {"mv d e && ln -s e d", []string{"d", "d/x", "d/y"}, "A\td\nD\td/x\nD\td/y"},
		"new":                   {"echo 1 >new", []string{"new"}, "A\tnew"},
		"new and gone":          {"echo 1 >new && git add new && rm new && echo 2 >k", []string{"new", "k"}, "M\tk"},
		"intended to be added":  {"echo 1 >new && git add -N new", []string{"new"}, "A\tnew"},
		"staged in part":        {"echo 2 >k && git add k && echo 3 >k", []string{"k"}, "M\tk"},
		"another mode":          {"chmod +x k", []string{"k"}, "M\tk"},
		"a strange name":        {"echo 1 >'*'", []string{"*"}, "A\t*"},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			r.Commit("first", map[string]string{"k": "1\n", "d/x": "x\n", "d/y": "y\n", "mine": "1\n", "open": "1\n"})
			r.WriteFile("mine", "2\n")
			r.Git("add", "mine")
			r.WriteFile("open", "2\n")
			if out, err := r.Run("sh", "-c", c.work); err != nil {
				t.Fatal(err, out)
			}
			repo, before := mustOpen(t, r), r.Git("status", "--porcelain")
			r.WriteFile(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n")
			if err := os.Chmod(r.Path(".git/hooks/pre-commit"), 0o777); err != nil {
				t.Fatal(err)
			}
			if _, err := commit.ThroughGit(context.Background(), repo, "m\n", commit.Options{}, c.paths...); !errors.Is(err, commit.ErrCommitRefused) {
				t.Fatal(err)
			}
			if after := r.Git("status", "--porcelain"); after != before {
				t.Errorf("after a refusal the state is\n%s\nwas\n%s", after, before)
			}
			r.Remove(".git/hooks/pre-commit")
			if _, err := commit.ThroughGit(context.Background(), repo, "m\n", commit.Options{}, c.paths...); err != nil {
				t.Fatal(err)
			}
			if got := r.Git("show", "--format=", "--name-status", "--no-renames"); got != c.want {
				t.Errorf("committed\n%s\nwant\n%s", got, c.want)
			}
			if got := r.Git("diff", "--cached", "--name-status"); got != "M\tmine" {
				t.Errorf("staged %s", got)
			}
			if got := r.Git("diff", "--name-status"); got != "M\topen" {
				t.Errorf("changed on disk %s", got)
			}
			r.Fsck()
		})
	}
}

// TestCommitOnlyLocks guards: while paths are committed nobody else can commit, as with git's own; else what they
// committed would be undone. An index that stays locked is reported, and nothing changes.
func TestCommitOnlyLocks(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{"k": "1\n", "other": "1\n"})
	r.WriteFile("k", "2\n")
	r.WriteFile("other", "2\n")
	r.WriteFile(".git/hooks/pre-commit", "#!/bin/sh\nunset GIT_INDEX_FILE\ngit commit -qm other --no-verify other && echo it came between >&2\nexit 0\n")
	if err := os.Chmod(r.Path(".git/hooks/pre-commit"), 0o777); err != nil {
		t.Fatal(err)
	}
	repo, words := mustOpen(t, r), &strings.Builder{}
	if _, err := commit.ThroughGit(context.Background(), repo, "m\n", commit.Options{Err: words}, "k"); err != nil || strings.Contains(words.String(), "between") {
		t.Fatal(err, words)
	}
	if got := r.Git("log", "--format=%s", "--name-only", "HEAD~1.."); got != "m\n\nk" {
		t.Error(got)
	}
	r.Git("add", "other")
	r.WriteFile("other", "1\n")
	if _, err := commit.ThroughGit(context.Background(), repo, "m\n", commit.Options{}, "other"); !errors.Is(err, commit.ErrNothingToCommit) || !errors.Is(err, commit.ErrCommitRefused) {
		t.Error(err)
	}
	r.WriteFile("other", "2\n")
	r.Git("reset", "-q")
	r.WriteFile(".git/index.lock", "")
	r.WriteFile("k", "3\n")
	_, err := commit.ThroughGit(context.Background(), repo, "m\n", commit.Options{Wait: time.Millisecond}, "k")
	if _, locked := errors.AsType[*commit.LockedError](err); !locked {
		t.Error(err)
	}
	r.Remove(".git/index.lock")
	if got := r.Git("status", "--porcelain"); got != " M k\n M other" {
		t.Error(got)
	}
}

// TestCommitOnlyEverywhere guards: in repositories of any kind paths are committed alone, and all that the user has
// changed, staged or not added stays as it is; also where the user's hooks refuse.
func TestCommitOnlyEverywhere(t *testing.T) {
	eachEnvironment(t, true, func(t *testing.T, r *gittest.Repo) {
		if !r.Exists(plan) {
			return // the store gives git commit no plan that is not on disk
		}
		if !sparse(r) {
			dirty(r)
		}
		before, head := r.State(plan, "ralph/code"), r.Git("rev-parse", "HEAD")
		r.WriteFile(plan, "new\n")
		r.WriteFile("ralph/code", "new\n")
		_, err := commit.ThroughGit(context.Background(), mustOpen(t, r), "m\n", commit.Options{Wait: lockTime}, plan, "ralph/code")
		switch refused := r.Git("rev-parse", "HEAD") == head; {
		case refused && !errors.Is(err, commit.ErrCommitRefused):
			t.Fatal(err)
		case !refused && err != nil:
			t.Fatal(err)
		case !refused && r.Git("show", "--format=", "--name-only") != "ralph/code\n"+plan:
			t.Errorf("committed %s", r.Git("show", "--format=", "--name-only"))
		}
		if after := r.State(plan, "ralph/code"); after != before {
			t.Errorf("state changed from\n%v\nto\n%v", before, after)
		}
		r.Fsck()
	})
}
