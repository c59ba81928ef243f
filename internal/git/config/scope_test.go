package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/test/gittest"
)

// What ConfigFile names is the file that `git config` writes to.
func TestConfigFileIsGits(t *testing.T) {
	r := gittest.NewRepo(t).Setenv("GIT_CONFIG_SYSTEM", filepath.Join(t.TempDir(), "system"))
	r.Commit("first", nil)
	r.Git("config", "extensions.worktreeConfig", "true")
	r.Git("worktree", "add", "-q", "../linked")
	xdg := filepath.Join(r.Getenv("XDG_CONFIG_HOME"), "git", "config")
	for name, at := range map[string]*gittest.Repo{
		"main": r, "linked": r.At("../linked"), "no GIT_CONFIG_GLOBAL": r.Setenv("GIT_CONFIG_GLOBAL", r.Home+"/.gitconfig"),
	} {
		for _, scope := range []config.Scope{config.ScopeSystem, config.ScopeGlobal, config.ScopeLocal, config.ScopeWorktree} {
			file, err := mustOpen(t, at).ConfigFiles().Path(t.Context(), scope)
			if err != nil {
				t.Fatal(err)
			}
			at.Git("config", "--"+string(scope), "test."+string(scope), name)
			if got := at.Git("config", "--file", file, "test."+string(scope)); got != name {
				t.Errorf("%s, %s: %s has %q", name, scope, file, got)
			}
		}
	}
	moved := r.Setenv("GIT_CONFIG_GLOBAL", xdg)
	if file, err := git.OutsideRepository(moved.Env).ConfigFiles().Path(t.Context(), config.ScopeGlobal); err != nil || file != xdg {
		t.Errorf("%s, %v", file, err)
	}
}

// Where worktrees have no configuration of their own there is no file for one.
func TestNoWorktreeConfig(t *testing.T) {
	r := gittest.NewRepo(t)
	if _, err := mustOpen(t, r).ConfigFiles().Path(t.Context(), config.ScopeWorktree); !errors.Is(err, config.ErrNoWorktreeConfig) {
		t.Errorf("error %v", err)
	}
}

// The attributes of a scope are where git looks for them; those of the machine are left alone where its configuration is
// another one.
func TestAttributesFile(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", nil)
	r.Git("worktree", "add", "-q", "../linked")
	linked := r.At("../linked")
	repo := mustOpen(t, linked)
	file := func(repo *git.Repo, scope config.Scope) string {
		t.Helper()
		file, err := repo.ConfigFiles().AttributesPath(t.Context(), scope)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	check := func(file string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("a.txt test="+filepath.Base(file)+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := linked.Git("check-attr", "test", "a.txt"); got != "a.txt: test: "+filepath.Base(file) {
			t.Errorf("%s: %s", file, got)
		}
	}
	check(file(repo, config.ScopeGlobal))
	r.Git("config", "--global", "core.attributesFile", "~/mine")
	check(file(git.OutsideRepository(linked.Env), config.ScopeGlobal))
	if got := file(repo, config.ScopeWorktree); got != file(repo, config.ScopeLocal) {
		t.Errorf("a worktree's own: %s", got)
	}
	check(file(repo, config.ScopeLocal))
	if got := file(repo, config.ScopeSystem); got != "" {
		t.Errorf("the machine's: %s", got)
	}
	r.Git("config", "--global", "core.attributesFile", "relative")
	if _, err := git.OutsideRepository(r.Env).ConfigFiles().AttributesPath(t.Context(), config.ScopeGlobal); !errors.Is(err, config.ErrConfig) {
		t.Errorf("relative: %v", err)
	}
}

// Outside sees the user's settings and no repository's.
func TestOutside(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "ralph.plan", "local.jsonl")
	r.Git("config", "--global", "ralph.specs", "docs")
	out := git.OutsideRepository(r.Env)
	cfg, err := out.Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, local := cfg.Get("ralph.plan")
	if specs, _ := cfg.Get("ralph.specs"); specs != "docs" || local {
		t.Errorf("specs %q, local %v", specs, local)
	}
	settings, err := out.ConfigFiles().Settings(t.Context(), `^ralph\.`)
	if err != nil || len(settings) != 1 || settings[0] != (config.Setting{File: r.Home + "/.gitconfig", Key: "ralph.specs", Value: "docs"}) {
		t.Errorf("settings %v, %v", settings, err)
	}
}

// Settings names the file of each value, those that are included too, the strongest last.
func TestSettings(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile("sub/included", "[ralph]\n\tx = 1\n")
	r.Git("config", "--global", "ralph.x", "0\n0")
	r.Git("config", "include.path", "../sub/included")
	r.Git("config", "ralph.x", "2")
	want := []config.Setting{
		{File: r.Home + "/.gitconfig", Key: "ralph.x", Value: "0\n0"},
		{File: r.Path("sub/included"), Key: "ralph.x", Value: "1"},
		{File: r.Path(".git/config"), Key: "ralph.x", Value: "2"},
	}
	got, err := mustOpen(t, r.At("sub")).ConfigFiles().Settings(t.Context(), `^ralph\.`)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %v", got, err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("setting %d is %v, want %v", i, got[i], want[i])
		}
	}
	if none, err := mustOpen(t, r).ConfigFiles().Settings(t.Context(), `^nothing\.`); err != nil || none != nil {
		t.Errorf("%v, %v", none, err)
	}
}
