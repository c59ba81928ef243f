package install

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"git-ralph/githooks"
	"git-ralph/internal/git/config"
	"git-ralph/internal/proc"
	"git-ralph/internal/test/gittest"
)

// newGit returns the repository with a git that says it is of version 2.54.0, the first to take hooks from its configuration.
func newGit(t *testing.T, r *gittest.Repo) *gittest.Repo { return gitSays(t, r, "2.54.0") }

// oldGit returns the repository with a git that says it takes hooks from files alone.
func oldGit(t *testing.T, r *gittest.Repo) *gittest.Repo { return gitSays(t, r, "2.53.0") }

// gitSays returns the repository with the machine's own git, which says that it is of a version; `git runs COMMAND…` runs the
// command below a process named git.
func gitSays(t *testing.T, r *gittest.Repo, version string) *gittest.Repo {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	real, err := proc.LookPath("git", r.Env)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" != version ] || { echo 'git version " + version + "'; exit; }\n" +
		"[ \"$1\" != runs ] || { shift; \"$@\"; exit; }\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return r.Setenv("PATH", dir+string(os.PathListSeparator)+r.Getenv("PATH"))
}

func hookOptions(t *testing.T, r *gittest.Repo) Options {
	o := options(t, r, config.ScopeLocal)
	o.Hooks = true
	return o
}

// docs/hooks.md, "Installing": from git 2.54 on hooks stand in the configuration, beside those of any other tool, and the
// blocks that were needed before go.
func TestHooksInConfiguration(t *testing.T) {
	r := oldGit(t, gittest.NewRepo(t))
	before := files(t, r.Dir)
	if _, err := Install(t.Context(), hookOptions(t, r)); err != nil {
		t.Fatal(err)
	}
	r = newGit(t, r)
	if _, err := Install(t.Context(), hookOptions(t, r)); err != nil {
		t.Fatal(err)
	}
	if r.Exists(".git/hooks/pre-commit") || r.Git("config", "hook.ralph-pre-commit.event") != "pre-commit" {
		t.Errorf("not moved:\n%s", r.ReadFile(".git/config"))
	}
	if out, err := r.TryGit("config", "hook.ralph-pre-push.event"); err == nil {
		t.Errorf("pre-push was not asked for: %s", out)
	}
	if changes, err := Install(t.Context(), hookOptions(t, r)); err != nil || len(changes) > 0 {
		t.Errorf("twice: %v, %v", changes, err)
	}
	if advice, err := Advise(t.Context(), hookOptions(t, r)); err != nil || len(advice) > 0 {
		t.Errorf("advice: %v, %v", advice, err)
	}
	if _, err := Uninstall(t.Context(), options(t, oldGit(t, r), config.ScopeLocal)); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, "uninstall", files(t, r.Dir), before)
}

// The way back, to an older git: the configuration's hooks go, and the blocks are there.
func TestHooksBackInFiles(t *testing.T) {
	r := gittest.NewRepo(t)
	if _, err := Install(t.Context(), hookOptions(t, newGit(t, r))); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(t.Context(), hookOptions(t, oldGit(t, r))); err != nil {
		t.Fatal(err)
	}
	if out, err := r.TryGit("config", "hook.ralph-pre-commit.event"); err == nil || !r.Exists(".git/hooks/pre-commit") {
		t.Errorf("not moved: %s", out)
	}
}

// docs/hooks.md, "When something is wrong": what git's own settings turn off is found, in any file: a hook of ours, and from
// git 2.55 on all hooks of an event.
func TestSilenced(t *testing.T) {
	r := newGit(t, gittest.NewRepo(t))
	if _, err := Install(t.Context(), hookOptions(t, r)); err != nil {
		t.Fatal(err)
	}
	r.Git("config", "hook.ralph-pre-commit.enabled", "yes")
	r.Git("config", "--global", "hook.ralph-post-merge.enabled", "0")
	r.Git("config", "hook.commit-msg.enabled", "false")
	r.Git("config", "hook.mine.enabled", "false")
	for version, want := range map[string]string{
		"2.53.1": "", "2.54.2": "hook.ralph-post-merge.enabled", "2.55.0": "hook.commit-msg.enabled hook.ralph-post-merge.enabled",
	} {
		silenced, err := DisabledHooks(t.Context(), hookOptions(t, gitSays(t, r, version)))
		var got []string
		for _, c := range silenced {
			got = append(got, c.Name)
			if c.File == "" {
				t.Errorf("%s: no file for %s", version, c.Name)
			}
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, %v", version, got, err)
		}
	}
}

// git runs such a command as `sh -c '<command> "$@"' <command> <arguments>`: it must take them, refuse as the script does,
// and pass otherwise.
func TestConfiguredCommandsRun(t *testing.T) {
	r := newGit(t, gittest.NewRepo(t))
	for _, name := range githooks.OnDemand() {
		r.Git("config", githooks.Setting(name), "true")
	}
	if _, err := Install(t.Context(), hookOptions(t, r)); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	stub := "#!/bin/sh\ncat >>called\necho \"$@\" >>called\nexit 5\n"
	if err := os.WriteFile(filepath.Join(bin, "git-ralph"), []byte(stub), 0o755); err != nil {
		t.Fatal(err)
	}
	with := r.Setenv("PATH", bin+string(os.PathListSeparator)+r.Getenv("PATH"))
	r.WriteFile("message", "x\n\nRalph-Done: t-a\n")
	r.WriteFile("ralph/plan.jsonl", "{}\n")
	r.Git("add", "ralph")
	// Between git and the hook, a program of another name whose arguments say commit.
	for name, script := range map[string]string{"tool": `git-mirror commit "$@"`, "git-mirror": "shift\n\"$@\""} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) (string, int) {
		os.Remove(r.Path("called")) //nolint:errcheck // there may be none
		r.WriteFile("hook", r.Git("config", "hook.ralph-"+name+".command")+` "$@"`)
		_, err := with.Run("git", append([]string{"runs", "tool", "sh", r.Path("hook")}, args...)...)
		called, _ := os.ReadFile(r.Path("called"))
		return string(called), max(0, proc.ExitCode(err))
	}
	for _, test := range []struct {
		want string
		code int
		line []string
	}{
		{"hook pre-commit\n", 1, []string{"pre-commit"}},
		{"hook commit-msg message\n", 1, []string{"commit-msg", "message"}},
		{"hook prepare-commit-msg message\n", 0, []string{"prepare-commit-msg", "message"}},
		{"", 0, []string{"prepare-commit-msg", "message", "merge"}},
		{"hook post-checkout 1\n", 0, []string{"post-checkout", "1", "2", "1"}},
		{"", 0, []string{"post-checkout", "1", "2", "0"}},
		{"", 0, []string{"pre-push", "origin", "url"}}, // nothing on standard input
	} {
		if got, code := run(test.line[0], test.line[1:]...); got != test.want || code != test.code {
			t.Errorf("%q called %q, exit %d", test.line, got, code)
		}
	}
}
