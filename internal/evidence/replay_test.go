package evidence

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/mask"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/trust"
)

// runnerOf returns a runner that may run "./check", and a receipt of it on HEAD's commit.
func runnerOf(t *testing.T, r *gittest.Repo) (*Runner, Receipt) {
	t.Helper()
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := NewRule([]string{"./check"}, trust.Record{})
	if err != nil {
		t.Fatal(err)
	}
	runner := &Runner{Repo: repo, Rule: rule, Environ: r.Env, Limit: time.Minute, Now: time.Now, Masker: mask.NewFull()}
	return runner, Receipt{Check: Check{"t-a", "./check"}, Commit: r.Git("rev-parse", "HEAD"), Tree: r.Git("rev-parse", "HEAD^{tree}")}
}

func programs(t *testing.T, args ...string) *gittest.Repo {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	r := gittest.NewRepo(t, args...)
	r.WriteFile("check", "#!/bin/sh\ncat deep/er/file\n")
	r.WriteFile("deep/er/file", "content\n")
	if err := os.Chmod(r.Path("check"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("deep", r.Path("link")); err != nil {
		t.Fatal(err)
	}
	r.Git("add", ".")
	r.Git("commit", "-qm", "one")
	return r
}

// examine returns the verdict on a receipt.
func examine(t *testing.T, runner *Runner, receipt Receipt) Replay {
	t.Helper()
	return runner.Examine(t.Context(), []Found{{Receipt: receipt}})[0]
}

// Whatever byte of the commit, of its tree, or of a file in it is replaced, in an object that git itself still reads: it is
// found. So it is where the receipt names another commit or tree.
func TestAlteredObjects(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := programs(t, "--object-format="+format)
			runner, receipt := runnerOf(t, r)
			if got := examine(t, runner, receipt); got.Verdict != Runnable {
				t.Fatalf("%+v", got)
			}
			reader := runner.Repo.Reader(t.Context())
			defer reader.Close()
			for _, object := range []string{"HEAD", "HEAD:", "HEAD:deep", "HEAD:deep/er", "HEAD:deep/er/file", "HEAD:check", "HEAD:link"} {
				alterObject(t, r, r.Git("rev-parse", object), func(what string) {
					if err := examineCommit(reader, git.NewIntact(runner.Repo, reader), receipt); !errors.Is(err, git.ErrAltered) {
						t.Errorf("%s, %s: %v", object, what, err)
					}
				})
			}
			if got := examine(t, runner, receipt); got.Verdict != Runnable {
				t.Fatalf("%+v", got)
			}
			for i := range receipt.Commit {
				commit, tree := receipt, receipt
				commit.Commit, tree.Tree = otherLetter(receipt.Commit, i), otherLetter(receipt.Tree, i)
				for _, other := range []Receipt{commit, tree} {
					if err := examineCommit(reader, git.NewIntact(runner.Repo, reader), other); err == nil {
						t.Errorf("letter %d is another one: %+v", i, other)
					}
				}
			}
		})
	}
}

// otherLetter returns a text with one letter changed.
func otherLetter(text string, at int) string {
	return text[:at] + string(rune(text[at]^1)) + text[at+1:]
}

// alterObject puts other content in the place of a loose object's, with one byte replaced each time, and calls check.
func alterObject(t *testing.T, r *gittest.Repo, id string, check func(what string)) {
	t.Helper()
	path := r.Path(".git/objects/" + id[:2] + "/" + id[2:])
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content := looseContent(t, before)
	body := strings.IndexByte(content, 0) + 1
	write := func(data []byte) {
		os.Remove(path)
		if err := os.WriteFile(path, data, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	for at := body; at < len(content); at++ {
		write(loose(t, content[:at]+string([]byte{content[at] ^ 1})+content[at+1:]))
		check(content[at:min(at+8, len(content))])
	}
	write(before)
}

// A receipt that is run again is the same where the check ends as it did, and different else; a commit that is not here, and a
// check that is not allowed or cannot start, is not runnable.
func TestReplay(t *testing.T) {
	r := programs(t)
	runner, receipt := runnerOf(t, r)
	failed, missing, stranger := receipt, receipt, receipt
	failed.Exit = 3
	missing.Commit = strings.Repeat("12", 20)
	stranger.Line = "./other"
	r.Git("rm", "-q", "check")
	r.Git("commit", "-qm", "two")
	gone := receipt
	gone.Commit, gone.Tree = r.Git("rev-parse", "HEAD"), r.Git("rev-parse", "HEAD^{tree}")
	want := []Verdict{Same, Different, NotRunnable, NotRunnable, NotRunnable}
	var found []Found
	for _, one := range []Receipt{receipt, failed, missing, stranger, gone} {
		found = append(found, Found{Receipt: one})
	}
	replays, err := runner.Replay(t.Context(), found)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range replays {
		if got.Verdict != want[i] || (got.Verdict == Same) != (got.Why == "") {
			t.Errorf("%d: %s, want %s: %s", i, got.Verdict, want[i], got.Why)
		}
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// What a partial clone does not have is not runnable there, and is not fetched.
func TestReplayInPartialClone(t *testing.T) {
	r := programs(t)
	_, receipt := runnerOf(t, r)
	r.Git("rm", "-q", "check")
	r.Git("commit", "-qm", "two")
	r.Git("config", "uploadpack.allowFilter", "true")
	partial := r.At(r.Dir + "-partial")
	r.Git("clone", "-q", "--filter=blob:none", "file://"+r.Dir, partial.Dir)
	runner, _ := runnerOf(t, partial)
	if got := examine(t, runner, receipt); got.Verdict != NotRunnable || !strings.Contains(got.Why, "is missing") {
		t.Errorf("%s: %s", got.Verdict, got.Why)
	}
}
