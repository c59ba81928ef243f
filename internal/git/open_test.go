package git_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

// agrees checks that the repository found from r.Dir is the one that git finds there.
func agrees(t *testing.T, r *gittest.Repo) {
	t.Helper()
	repo, err := git.Open(context.Background(), r.Dir, r.Env)
	want, gitErr := r.TryGit("rev-parse", "--absolute-git-dir")
	if gitErr != nil {
		if err == nil {
			t.Errorf("opened %s, git says %v", repo.GitDir(), gitErr)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	same(t, "git directory", repo.GitDir(), want)
	same(t, "common directory", repo.CommonDir(), absolute(r.Dir, r.Git("rev-parse", "--git-common-dir")))
	root, err := r.TryGit("rev-parse", "--show-toplevel")
	if err != nil {
		root = ""
	}
	same(t, "root", repo.Root(), root)
	same(t, "index", repo.IndexPath(), absolute(r.Dir, r.Git("rev-parse", "--git-path", "index")))
	if got, want := repo.ObjectFormat(), r.Git("rev-parse", "--show-object-format"); got != want {
		t.Errorf("object format %s, want %s", got, want)
	}
	if repo.Bare() != (root == "") {
		t.Errorf("bare: %v", repo.Bare())
	}
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	a, errA := filepath.EvalSymlinks(got)
	b, errB := filepath.EvalSymlinks(want)
	if errA != nil || errB != nil || a != b {
		t.Errorf("%s is %q, want %q", what, got, want)
	}
}

// Every place that git calls a repository is found as git finds it, from any directory in it.
func TestOpenAgreesWithGit(t *testing.T) {
	for _, env := range gittest.Environments() {
		t.Run(env.Name, func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t, env.Args...)
			r.Commit("first", gittest.UserFiles())
			if env.Make != nil {
				r = env.Make(r)
			}
			agrees(t, r)
			if err := os.MkdirAll(r.Path("new/deep"), 0o777); err != nil {
				t.Fatal(err)
			}
			agrees(t, r.At("new/deep"))
		})
	}
}

func TestOpenUnusual(t *testing.T) {
	base := func(t *testing.T) *gittest.Repo {
		r := gittest.NewRepo(t)
		r.Commit("first", map[string]string{"dir/file": "x"})
		return r
	}
	for name, make := range map[string]func(*testing.T, *gittest.Repo) *gittest.Repo{
		"inside the git directory": func(_ *testing.T, r *gittest.Repo) *gittest.Repo { return r.At(".git/refs") },
		"bare": func(_ *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("clone", "-q", "--bare", ".", "../bare")
			return r.At("../bare")
		},
		"GIT_DIR": func(_ *testing.T, r *gittest.Repo) *gittest.Repo { return r.Setenv("GIT_DIR", ".git") },
		"GIT_DIR from afar": func(_ *testing.T, r *gittest.Repo) *gittest.Repo {
			return r.At(r.Home).Setenv("GIT_DIR", r.Path(".git"))
		},
		"GIT_WORK_TREE":  func(_ *testing.T, r *gittest.Repo) *gittest.Repo { return r.Setenv("GIT_WORK_TREE", r.Path("dir")) },
		"GIT_INDEX_FILE": func(_ *testing.T, r *gittest.Repo) *gittest.Repo { return r.Setenv("GIT_INDEX_FILE", "other-index") },
		"GIT_PREFIX":     func(_ *testing.T, r *gittest.Repo) *gittest.Repo { return r.Setenv("GIT_PREFIX", "dir/") },
		"ceiling": func(_ *testing.T, r *gittest.Repo) *gittest.Repo {
			return r.At("dir").Setenv("GIT_CEILING_DIRECTORIES", r.Dir)
		},
		"no repository": func(_ *testing.T, r *gittest.Repo) *gittest.Repo { return r.At(r.Home) },
		"empty .git directory": func(_ *testing.T, r *gittest.Repo) *gittest.Repo {
			os.Mkdir(r.Path("dir/.git"), 0o777)
			return r.At("dir")
		},
		"broken .git file": func(_ *testing.T, r *gittest.Repo) *gittest.Repo {
			r.WriteFile("dir/.git", "nonsense")
			return r.At("dir")
		},
		"dangling .git file": func(_ *testing.T, r *gittest.Repo) *gittest.Repo {
			r.WriteFile("dir/.git", "gitdir: ../nowhere\n")
			return r.At("dir")
		},
		"core.worktree": func(_ *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("config", "core.worktree", "../dir")
			return r
		},
		"core.bare": func(_ *testing.T, r *gittest.Repo) *gittest.Repo { r.Git("config", "core.bare", "true"); return r },
		"unknown extension": func(_ *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("config", "core.repositoryFormatVersion", "1")
			r.Git("config", "extensions.unheardOf", "true")
			return r
		},
		"linked .git": func(t *testing.T, r *gittest.Repo) *gittest.Repo {
			if err := os.Symlink(r.Path(".git"), r.Path("dir/.git")); err != nil {
				t.Skip(err)
			}
			return r.At("dir")
		},
		"separate git directory": func(_ *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("init", "-q", "--separate-git-dir", "../elsewhere")
			return r
		},
	} {
		t.Run(name, func(t *testing.T) { agrees(t, make(t, base(t))) })
	}
}

func TestOpenOutside(t *testing.T) {
	r := gittest.NewDirectory(t)
	if _, err := git.Open(context.Background(), r.Dir, r.Env); !errors.Is(err, git.ErrNotRepository) {
		t.Errorf("got %v", err)
	}
}

// Nothing of a plain repository needs a process, from any directory in it.
func TestOpenStartsNothing(t *testing.T) {
	for name, make := range map[string]func(*gittest.Repo) *gittest.Repo{
		"plain":           func(r *gittest.Repo) *gittest.Repo { return r.At("dir") },
		"linked worktree": func(r *gittest.Repo) *gittest.Repo { r.Git("worktree", "add", "-q", "../l"); return r.At("../l") },
		"worktree config": func(r *gittest.Repo) *gittest.Repo { r.Git("sparse-checkout", "set", "dir"); return r },
		"include of an identity": func(r *gittest.Repo) *gittest.Repo {
			r.Git("config", "includeIf.gitdir:~/jobs/.path", "work")
			r.WriteFile(".git/work", "[user]\n\temail = at@work\n")
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			r.Commit("first", map[string]string{"dir/file": "x"})
			counted, count := make(r).CountProcesses()
			config, err := mustOpen(t, counted).Config(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			config.Get("ralph.plan")
			if got := count.Started(); got != nil {
				t.Errorf("started %v", got)
			}
		})
	}
}

func TestOperation(t *testing.T) {
	conflict := func(r *gittest.Repo) {
		r.Commit("base", map[string]string{"f": "1\n"})
		r.Git("checkout", "-q", "-b", "other")
		r.Commit("other", map[string]string{"f": "2\n"})
		r.Commit("other again", map[string]string{"f": "3\n"})
		r.Git("checkout", "-q", "main")
		r.Commit("main", map[string]string{"f": "4\n"})
	}
	for want, start := range map[string][]string{
		"":            {"status"},
		"merge":       {"merge", "other"},
		"rebase":      {"rebase", "other"},
		"cherry-pick": {"cherry-pick", "other"},
		"revert":      {"revert", "HEAD~1"},
		"bisect":      {"bisect", "start"},
		"am":          {"am", "../patch"},
	} {
		t.Run(want, func(t *testing.T) {
			r := gittest.NewRepo(t)
			conflict(r)
			r.WriteFile("../patch", r.Git("format-patch", "-1", "--stdout", "other")+"\n")
			r.TryGit(start...) //nolint:errcheck // it is meant to stop half way
			if got := mustOpen(t, r).Operations().Current(); got != want {
				t.Errorf("in the middle of %q, want %q", got, want)
			}
		})
	}
	t.Run("between picks", func(t *testing.T) {
		r := gittest.NewRepo(t)
		conflict(r)
		r.TryGit("cherry-pick", "other~1", "other") //nolint:errcheck // it is meant to stop half way
		r.WriteFile("f", "5\n")
		r.Git("commit", "-q", "-a", "-m", "picked by hand")
		if got := mustOpen(t, r).Operations().Current(); got != "cherry-pick" {
			t.Errorf("in the middle of %q", got)
		}
	})
}
