package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/safefile"
	"git-ralph/internal/test/gittest"
)

func options(t *testing.T, r *gittest.Repo, scope config.Scope) Options {
	t.Helper()
	repo := git.OutsideRepository(r.Env)
	if scope == config.ScopeLocal || scope == config.ScopeWorktree {
		var err error
		if repo, err = git.Open(t.Context(), r.Dir, r.Env); err != nil {
			t.Fatal(err)
		}
	}
	return Options{Repo: repo, Scope: scope, PlanPath: "ralph/plan.jsonl", Driver: testDriver, FormerDrivers: []string{testDriver}}
}

// files reads everything below a directory but git's objects: names, permissions and bytes.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == "objects" {
			return errors.Join(err, fs.SkipDir)
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			all[path] = "directory"
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			all[path] = "to " + target
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = info.Mode().String() + string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.SkipDir) {
		t.Fatal(err)
	}
	return all
}

func sameFiles(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %s is %q, was %q", what, path, got[path], text)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s: %s is new", what, path)
		}
	}
}

// users are what a user may have before us, in every file that is concerned.
var users = map[string]string{
	"none": "", "comments": "# mine\n[user] # odd\n  name=x ;y\n\n", "no end": "[a]\n\tb = c", "windows": "[a]\r\n\tb = c\r\n",
	"own section": "[merge \"ralph\"]\n\tother = 1\n[diff \"ralph\"]\n",
}

// docs/promises.md, installing: in each scope, over whatever the user has, uninstall leaves every file, its permissions
// and the directories as they were; twice is once; git sees the driver in between.
func TestUninstallTakesBackInstall(t *testing.T) {
	for _, scope := range []config.Scope{config.ScopeSystem, config.ScopeGlobal, config.ScopeLocal, config.ScopeWorktree} {
		for name, text := range users {
			t.Run(string(scope)+", "+name, func(t *testing.T) {
				r := prepared(t, scope, text)
				o := options(t, r, scope)
				o.Attributes = scope == config.ScopeLocal
				before := files(t, filepath.Dir(r.Dir))
				if changes, err := Install(t.Context(), o); err != nil || len(changes) == 0 {
					t.Fatalf("%v, %v", changes, err)
				}
				if got := r.Git("config", "merge.ralph.driver"); got != testDriver {
					t.Errorf("driver %q", got)
				}
				if got := r.Git("check-attr", "merge", "ralph/plan.jsonl"); scope != config.ScopeSystem && !strings.HasSuffix(got, ": ralph") {
					t.Errorf("attribute %q", got)
				}
				installed := files(t, filepath.Dir(r.Dir))
				if changes, err := Install(t.Context(), o); err != nil || len(changes) != 0 {
					t.Errorf("twice: %v, %v", changes, err)
				}
				sameFiles(t, "twice", files(t, filepath.Dir(r.Dir)), installed)
				o.DryRun = true
				if _, err := Uninstall(t.Context(), o); err != nil {
					t.Error(err)
				}
				sameFiles(t, "dry run", files(t, filepath.Dir(r.Dir)), installed)
				o.DryRun, o.Attributes = false, false
				if _, err := Uninstall(t.Context(), o); err != nil {
					t.Fatal(err)
				}
				sameFiles(t, "uninstall", files(t, filepath.Dir(r.Dir)), before)
			})
		}
	}
}

// prepared makes a repository whose user has text in all files that an installation could change.
func prepared(t *testing.T, scope config.Scope, text string) *gittest.Repo {
	r := gittest.NewRepo(t)
	system := filepath.Join(r.Home, "system")
	r = r.Setenv("GIT_CONFIG_SYSTEM", system)
	if scope == config.ScopeSystem {
		r = r.Setenv("GIT_CONFIG_NOSYSTEM", "0")
	}
	r.Git("config", "extensions.worktreeConfig", "true")
	if text == "" {
		return r
	}
	attributes := strings.NewReplacer("[", "x/", "\"", "").Replace(text)
	for path, text := range map[string]string{
		system: text, filepath.Join(r.Home, ".config/git/attributes"): attributes, r.Path(".git/info/attributes"): attributes,
		r.Path(".gitattributes"): attributes, r.Path(".git/config.worktree"): text,
		r.Path(".git/config"): r.ReadFile(".git/config") + text, filepath.Join(r.Home, ".gitconfig"): text,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// What the user set otherwise, in any file, is shown and nothing changes; --force puts ours behind it.
func TestClash(t *testing.T) {
	for name, set := range map[string]func(r *gittest.Repo){
		"here":      func(r *gittest.Repo) { r.Git("config", "merge.ralph.driver", "mine") },
		"global":    func(r *gittest.Repo) { r.Git("config", "--global", "merge.ralph.driver", "mine") },
		"attribute": func(r *gittest.Repo) { r.WriteFile(".git/info/attributes", "ralph/plan.jsonl merge=mine\n") },
		"included": func(r *gittest.Repo) {
			r.WriteFile("included", "[merge \"ralph\"]\n\tdriver = mine\n")
			r.Git("config", "include.path", "../included")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			set(r)
			o := options(t, r, config.ScopeLocal)
			before := files(t, filepath.Dir(r.Dir))
			_, err := Install(t.Context(), o)
			var clash *ClashError
			if !errors.As(err, &clash) || len(clash.Clashes) != 1 || clash.Clashes[0].Value != "mine" {
				t.Errorf("error %v", err)
			}
			sameFiles(t, "refused", files(t, filepath.Dir(r.Dir)), before)
			o.Force = true
			if _, err := Install(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if got := r.Git("config", "merge.ralph.driver"); got != testDriver {
				t.Errorf("forced: %q", got)
			}
			o.Force = false
			if _, err := Install(t.Context(), o); err != nil {
				t.Errorf("again: %v", err)
			}
			if _, err := Uninstall(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			sameFiles(t, "uninstall", files(t, filepath.Dir(r.Dir)), before)
		})
	}
}

// Who has typed the settings by hand has them already.
func TestByHand(t *testing.T) {
	r := gittest.NewRepo(t)
	for _, s := range settings(testDriver, nil) {
		r.Git("config", s.key(), s.value)
	}
	r.WriteFile(".git/info/attributes", "/ralph/plan.jsonl\tdiff=ralph   merge=ralph\n")
	before := files(t, r.Dir)
	if changes, err := Install(t.Context(), options(t, r, config.ScopeLocal)); err != nil || len(changes) > 0 {
		t.Errorf("%v, %v", changes, err)
	}
	if _, err := Uninstall(t.Context(), options(t, r, config.ScopeLocal)); err != nil {
		t.Error(err)
	}
	sameFiles(t, "uninstall", files(t, r.Dir), before)
}

// One file that cannot be written stops all.
func TestNothingHalfDone(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(r *gittest.Repo)
		want  error
	}{
		"locked":    {func(r *gittest.Repo) { r.WriteFile(".git/info/attributes.lock", "") }, safefile.ErrLocked},
		"directory": {func(r *gittest.Repo) { r.WriteFile(".gitattributes/x", "") }, safefile.ErrNotFile},
		"read-only": {func(r *gittest.Repo) {
			r.WriteFile(".git/info/attributes", "x\n")
			readOnly(t, r, ".git/info/attributes")
		}, safefile.ErrReadOnly},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			test.spoil(r)
			o := options(t, r, config.ScopeLocal)
			o.Attributes = true
			before := files(t, r.Dir)
			if _, err := Install(t.Context(), o); !errors.Is(err, test.want) {
				t.Errorf("error %v", err)
			}
			sameFiles(t, "refused", files(t, r.Dir), before)
		})
	}
}

func readOnly(t *testing.T, r *gittest.Repo, name string) {
	if err := os.Chmod(r.Path(name), 0o444); err != nil {
		t.Fatal(err)
	}
}

// The attributes that worktrees share stay as long as one of the scopes is installed.
func TestSharedAttributes(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", nil)
	r.Git("config", "extensions.worktreeConfig", "true")
	r.Git("worktree", "add", "-q", "../linked")
	before := files(t, r.Dir)
	scopes := []Options{options(t, r, config.ScopeLocal), options(t, r.At("../linked"), config.ScopeWorktree)}
	for _, o := range scopes {
		if _, err := Install(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	for i, o := range scopes {
		if !r.Exists(".git/info/attributes") {
			t.Errorf("the attributes are gone before scope %d", i)
		}
		if _, err := Uninstall(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	sameFiles(t, "uninstall", files(t, r.Dir), before)
}

// git matches the pattern with the very path and no other, whatever stands in it.
func TestPatternIsThePath(t *testing.T) {
	r := gittest.NewRepo(t)
	for _, path := range []string{
		"ralph/plan.jsonl", "plan.jsonl", "a b/plan.jsonl", "#x/plan.jsonl", "!x/p", "[a]/b*c?.jsonl", "\"q\"/p", "\"q q\"/p", `b\s/p`,
		"[attr]x", "é/日本.jsonl", " lead/p", "trail /p ", `a "b\ [c]`,
	} {
		o := options(t, r, config.ScopeLocal)
		o.PlanPath = path
		if _, err := Install(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if got := r.Git("check-attr", "-z", "merge", "diff", "--", path); strings.Count(got, "\x00ralph\x00") != 2 {
			t.Errorf("%q by %s: %q", path, pattern(path), got)
		}
		if got := r.Git("check-attr", "-z", "merge", "--", "sub/"+path); strings.Contains(got, "\x00ralph\x00") {
			t.Errorf("%q by %s: matches sub/ too", path, pattern(path))
		}
	}
}
