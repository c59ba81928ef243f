package git_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

// engines are the ways in which a Reader reads a repository. Each passes the whole contract.
var engines = map[string]func(*git.Repo) *git.Reader{
	"loose files": func(r *git.Repo) *git.Reader { return r.Reader(context.Background()) },
	"packs": func(r *git.Repo) *git.Reader {
		for _, command := range [][]string{{"repack", "-adq"}, {"pack-refs", "--all"}} {
			if _, err := r.Git().Run(context.Background(), nil, command...); err != nil {
				panic(err)
			}
		}
		return r.Reader(context.Background())
	},
	"git program": func(r *git.Repo) *git.Reader {
		replaced := "refs/replace/" + strings.Repeat("ab", r.IDSize())
		if _, err := r.Git().Run(context.Background(), nil, "update-ref", replaced, "HEAD"); err != nil {
			panic(err)
		}
		return r.Reader(context.Background())
	},
}

func TestReaderContract(t *testing.T) {
	for name, open := range engines {
		for _, format := range []string{"sha1", "sha256"} {
			t.Run(name+"/"+format, func(t *testing.T) { contract(t, format, open) })
		}
	}
}

func contract(t *testing.T, format string, open func(*git.Repo) *git.Reader) {
	r := gittest.NewRepo(t, "--object-format="+format)
	first := r.Commit("first", map[string]string{
		"plan.jsonl": "one\n", "dir/plan ü.jsonl": "deep", "empty": "", "-dash": "dash\n", "big": strings.Repeat("0123456789\n", 1<<17),
	})
	second := r.Commit("second", map[string]string{"plan.jsonl": "two\n"})
	r.Git("tag", "-a", "-m", "annotated", "v1", first)
	r.Git("branch", "topic", first)
	repo := mustOpen(t, r)
	reader := open(repo)
	t.Cleanup(func() {
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("resolve", func(t *testing.T) {
		for rev, want := range map[string]string{
			"HEAD": second, "main": second, "@": second, "HEAD~1": first, "v1": first, "refs/heads/topic": first,
			second: second, second[:9]: second, "HEAD^{/first}": first, ":/first": first, "HEAD@{1}": first, "v1^{commit}": first,
		} {
			if got, err := reader.Resolve(rev); err != nil || got != want {
				t.Errorf("%s: %s, %v; want %s", rev, got, err, want)
			}
		}
	})
	t.Run("time", func(t *testing.T) {
		for _, rev := range []string{"HEAD", "v1", first[:12]} {
			got, err := reader.Time(rev)
			if want := r.Git("log", "-1", "--format=%ct", rev); err != nil || strconv.FormatInt(got, 10) != want {
				t.Errorf("%s: %d, %v; want %s", rev, got, err, want)
			}
		}
	})
	t.Run("ancestors", func(t *testing.T) {
		side := r.Git("commit-tree", "-m", "side", "-p", first, first+"^{tree}")
		for pair, want := range map[[2]string]bool{
			{first, second}: true, {second, first}: false, {"v1", "HEAD"}: true, {first[:12], "main"}: true, {"HEAD", "main"}: true,
			{first, side}: true, {side, second}: false, {second, side}: false,
		} {
			if got, err := reader.IsAncestor(pair[0], pair[1]); err != nil || got != want {
				t.Errorf("%q: %v, %v; want %v", pair, got, err, want)
			}
		}
	})
	t.Run("bad revisions", func(t *testing.T) {
		for _, rev := range []string{
			"", "no-such", "HEAD~9", "HEAD:plan.jsonl", "HEAD^{tree}", "--all", "--batch-all-objects", "-h", "main..topic", "a\nHEAD",
			"@{upstream}", strings.Repeat("0", len(first)), "HEAD@{99}", "HEAD\x00",
		} {
			if got, err := reader.Resolve(rev); !errors.Is(err, git.ErrBadRevision) {
				t.Errorf("%q: %s, %v", rev, got, err)
			}
			if got, err := reader.Time(rev); !errors.Is(err, git.ErrBadRevision) {
				t.Errorf("%q: %d, %v", rev, got, err)
			}
			for _, pair := range [][2]string{{rev, "HEAD"}, {"HEAD", rev}} {
				if got, err := reader.IsAncestor(pair[0], pair[1]); !errors.Is(err, git.ErrBadRevision) {
					t.Errorf("%q: %v, %v", pair, got, err)
				}
			}
		}
	})
	t.Run("file", func(t *testing.T) {
		for path, want := range map[string]string{
			"plan.jsonl": "one\n", "dir/plan ü.jsonl": "deep", "empty": "", "-dash": "dash\n", "big": strings.Repeat("0123456789\n", 1<<17),
		} {
			got, err := reader.File(first, path)
			if err != nil || string(got.Data) != want {
				t.Errorf("%s: %.20q, %v", path, got.Data, err)
			}
			if id := r.Git("rev-parse", first+":"+path); got.ID != id {
				t.Errorf("%s: id %s, want %s", path, got.ID, id)
			}
		}
	})
	t.Run("no file", func(t *testing.T) {
		for _, path := range []string{"none", "dir", "dir/none", "plan.jsonl/x", "", "../plan.jsonl", "./plan.jsonl", "/plan.jsonl", "a\nb"} {
			if _, err := reader.File(first, path); !errors.Is(err, git.ErrNotFound) {
				t.Errorf("%q: %v", path, err)
			}
		}
		for _, commit := range []string{"HEAD", "--help", strings.Repeat("1", len(first))} {
			if _, err := reader.File(commit, "plan.jsonl"); !errors.Is(err, git.ErrBadRevision) {
				t.Errorf("%q: %v", commit, err)
			}
		}
	})
}

// A blob that a partial clone has not fetched is reported as missing, and nothing is fetched.
func TestReaderDoesNotFetch(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "uploadpack.allowFilter", "true")
	first := r.Commit("first", map[string]string{"plan.jsonl": "one\n"})
	r.Commit("second", map[string]string{"plan.jsonl": "two\n"})
	r.Git("clone", "-q", "--no-local", "--filter=blob:none", "file://"+r.Dir, r.Path("../partial"))
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			reader := open(mustOpen(t, r.At("../partial")))
			defer reader.Close()
			if _, err := reader.File(first, "plan.jsonl"); !errors.Is(err, git.ErrMissing) {
				t.Errorf("got %v", err)
			}
			if _, err := reader.File(first, "other"); !errors.Is(err, git.ErrNotFound) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Packed objects are read without a process, and so is whether a commit has landed.
func TestReaderStartsNoProcess(t *testing.T) {
	r := gittest.NewRepo(t)
	first := r.Commit("first", map[string]string{"plan.jsonl": "one\n"})
	r.Git("checkout", "-q", "-b", "side")
	side := r.Commit("side", map[string]string{"other": "1\n"})
	r.Git("checkout", "-q", "main")
	r.Git("merge", "-q", "--no-ff", "-m", "landed", side)
	last := r.Commit("last", map[string]string{"plan.jsonl": "two\n"})
	r.Git("repack", "-adq")
	r, counter := r.CountProcesses()
	reader := mustOpen(t, r).Reader(t.Context())
	defer reader.Close()
	if blob, err := reader.File(first, "plan.jsonl"); err != nil || string(blob.Data) != "one\n" {
		t.Errorf("%q, %v", blob.Data, err)
	}
	for _, ancestor := range []string{first, side, last} {
		if is, err := reader.IsAncestor(ancestor, last); !is || err != nil {
			t.Errorf("%s: %t, %v", ancestor, is, err)
		}
	}
	if id, err := reader.Resolve("main"); id != last || err != nil {
		t.Errorf("main: %s, %v; want %s", id, err, last)
	}
	if started := counter.Started(); len(started) > 0 {
		t.Errorf("started %q", started)
	}
}

// What git takes a short name for counts: a tag comes before a branch.
func TestReaderPrefersTags(t *testing.T) {
	r := gittest.NewRepo(t)
	first := r.Commit("first", nil)
	r.Git("tag", "v1")
	r.Git("branch", "v2")
	r.Git("tag", "packed")
	r.Git("pack-refs", "--all")
	r.Commit("second", nil)
	for _, name := range []string{"v1", "packed", "v2"} {
		r.Git("update-ref", "refs/heads/"+name, "HEAD")
	}
	reader := mustOpen(t, r).Reader(t.Context())
	defer reader.Close()
	for name, want := range map[string]string{"v1": first, "packed": first, "v2": r.Git("rev-parse", "HEAD")} {
		if id, err := reader.Resolve(name); id != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", name, id, err, want)
		}
	}
}

func mustOpen(t testing.TB, r *gittest.Repo) *git.Repo {
	t.Helper()
	repo, err := git.Open(context.Background(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// TestCommitWhereTheReaderEnded guards: an object that was read is returned, and one that was not is an error, also once the reader's
// context has ended: there is no empty answer without an error.
func TestCommitWhereTheReaderEnded(t *testing.T) {
	r := gittest.NewRepo(t)
	id := r.Commit("x", map[string]string{"x": "x"})
	ctx, cancel := context.WithCancel(t.Context())
	reader := mustOpen(t, r).Reader(ctx)
	defer reader.Close() //nolint:errcheck // it has ended
	cancel()
	if o, err := reader.Commit(id); err == nil && o.ID != id {
		t.Errorf("%+v", o)
	}
	if err := reader.Missing("x", nil); err == nil {
		t.Error("what is missing is no error")
	}
}
