// Package gittest gives tests real repositories that have nothing to do with the machine they run on: no system or user
// configuration, an own HOME, no network, no prompts.
package gittest

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"git-ralph/internal/proc"
)

// Repo is a throw-away repository and the environment that every program in it gets.
type Repo struct {
	Dir  string   // root of the worktree, without symbolic links
	Home string   // HOME; its .gitconfig is the user's configuration
	Env  []string // whole environment, KEY=value

	t testing.TB
}

// NewRepo makes an empty repository with branch main. args go to `git init`, e.g. "--object-format=sha256".
func NewRepo(t testing.TB, args ...string) *Repo {
	t.Helper()
	r := newDirectory(t)
	r.Git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return r
}

// NewDirectory makes a directory that is no repository, with the same isolated environment.
func NewDirectory(t testing.TB) *Repo { t.Helper(); return newDirectory(t) }

func newDirectory(t testing.TB) *Repo {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &Repo{Dir: filepath.Join(base, "repo"), Home: filepath.Join(base, "home"), t: t}
	for _, dir := range []string{r.Dir, r.Home} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	r.Env = Environ(r.Home)
	config := "[user]\n\tname = A U Thor\n\temail = author@example.com\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n" +
		"[protocol \"file\"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n"
	if err := os.WriteFile(filepath.Join(r.Home, ".gitconfig"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	return r
}

// Environ returns the isolated environment for the user whose home directory is home.
func Environ(home string) []string {
	env := []string{
		"HOME=" + home, "USERPROFILE=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"), "GIT_TERMINAL_PROMPT=0",
		"LC_ALL=C", "TZ=UTC", "NO_COLOR=1",
	}
	for _, key := range []string{"PATH", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "SystemRoot", "PATHEXT", "COMSPEC"} {
		if v, ok := os.LookupEnv(key); ok {
			env = append(env, key+"="+v)
		}
	}
	return env
}

// With returns the same repository for a subtest.
func (r *Repo) With(t testing.TB) *Repo {
	c := *r
	c.t = t
	return &c
}

// At returns the same user in another directory, e.g. a linked worktree. A relative dir is below Dir.
func (r *Repo) At(dir string) *Repo {
	c := *r
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.Dir, dir)
	}
	c.Dir = dir
	return &c
}

// Setenv returns the repository with KEY=value in its environment.
func (r *Repo) Setenv(key, value string) *Repo {
	c := *r
	c.Env = nil
	for _, kv := range r.Env {
		if !strings.HasPrefix(kv, key+"=") {
			c.Env = append(c.Env, kv)
		}
	}
	c.Env = append(c.Env, key+"="+value)
	return &c
}

// Getenv returns the value of key in the repository's environment.
func (r *Repo) Getenv(key string) string {
	for _, kv := range r.Env {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			return v
		}
	}
	return ""
}

// Git runs git and returns what it printed, without the last line break. A failure ends the test.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.TryGit(args...)
	if err != nil {
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// TryGit is Git for a git that may fail.
func (r *Repo) TryGit(args ...string) (string, error) { return r.run(nil, "git", args...) }

// GitIn is Git with an input.
func (r *Repo) GitIn(stdin string, args ...string) string {
	r.t.Helper()
	out, err := r.run([]byte(stdin), "git", args...)
	if err != nil {
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// Run runs any program in the repository.
func (r *Repo) Run(name string, args ...string) (string, error) { return r.run(nil, name, args...) }

func (r *Repo) run(stdin []byte, name string, args ...string) (string, error) {
	res, err := proc.Run(context.Background(), proc.Cmd{Name: name, Args: args, Dir: r.Dir, Env: r.Env, Stdin: stdin})
	return strings.TrimSuffix(string(res.Stdout), "\n"), err
}

// Path returns the place of a slash-separated name in the worktree.
func (r *Repo) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// WriteFile writes a file of the worktree and the directories it needs.
func (r *Repo) WriteFile(name, content string) {
	r.t.Helper()
	path := r.Path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// ReadFile reads a file of the worktree.
func (r *Repo) ReadFile(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(r.Path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

// Remove deletes a file of the worktree.
func (r *Repo) Remove(name string) {
	r.t.Helper()
	if err := os.Remove(r.Path(name)); err != nil {
		r.t.Fatal(err)
	}
}

// Exists reports whether something stands at name in the worktree.
func (r *Repo) Exists(name string) bool {
	_, err := os.Lstat(r.Path(name))
	return err == nil
}

// Commit writes files, commits everything in the worktree and returns the commit's id.
func (r *Repo) Commit(message string, files map[string]string) string {
	r.t.Helper()
	for name, content := range files {
		r.WriteFile(name, content)
	}
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "-m", message)
	return r.Git("rev-parse", "HEAD")
}

// Fsck ends the test when git finds fault with the repository.
func (r *Repo) Fsck() {
	r.t.Helper()
	if out, err := r.TryGit("fsck", "--strict", "--no-dangling"); err != nil {
		r.t.Errorf("fsck: %v\n%s", err, out)
	}
}

// State is what the user sees of worktree and index: two equal states mean that nothing of theirs was touched.
type State struct{ Status, Staged, Unstaged string }

// State reads the repository's state, leaving out paths, whose change is meant.
func (r *Repo) State(except ...string) State {
	r.t.Helper()
	spec := []string{"--", "."}
	for _, p := range except {
		spec = append(spec, ":(exclude,literal,top)"+p)
	}
	return State{
		Status:   r.Git(append([]string{"--no-optional-locks", "status", "--porcelain=v2", "--untracked-files=all"}, spec...)...),
		Staged:   r.Git(append([]string{"diff", "--cached", "--no-ext-diff"}, spec...)...),
		Unstaged: r.Git(append([]string{"diff", "--no-ext-diff"}, spec...)...),
	}
}

// NeedVersion skips the test when git is older than major.minor.
func (r *Repo) NeedVersion(major, minor int) {
	r.t.Helper()
	var gotMajor, gotMinor int
	fields := strings.FieldsFunc(r.Git("--version"), func(c rune) bool { return c < '0' || c > '9' })
	if len(fields) >= 2 {
		gotMajor, gotMinor = atoi(fields[0]), atoi(fields[1])
	}
	if gotMajor < major || gotMajor == major && gotMinor < minor {
		r.t.Skipf("needs git %d.%d", major, minor)
	}
}

func atoi(s string) int {
	n := 0
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}

// needUnix skips tests whose tools are shell scripts.
func needUnix(t testing.TB) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
}
