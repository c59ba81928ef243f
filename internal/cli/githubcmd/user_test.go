package githubcmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/githubcmd"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/mergedriver"
	"git-ralph/internal/plan"
	"git-ralph/internal/test/githubserver"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/scripted"
	"git-ralph/internal/uiprogram"
)

// realClock has the programs read the clock, as those that wait need it.
const realClock = "GITHUBCMD_TEST_REAL_CLOCK"

// TestMain lets the test binary be the programs that git ralph runs.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case name == "scripted-agent":
		os.Exit(scripted.Main(os.Args))
	case name == "git-ralph-merge-driver":
		os.Exit(mergedriver.Main(context.Background(), os.Args[1:], mergedriver.Env{Out: os.Stdout, Err: os.Stderr}))
	case name == "git-ralph", strings.HasPrefix(name, uiprogram.Name):
		env, err := term.NewEnv("")
		if err != nil {
			os.Exit(1)
		}
		if env.Getenv(realClock) == "" {
			env.Now = clock
		}
		os.Exit(cli.MainOf(context.Background(), os.Args, env, interfaces()))
	}
	os.Exit(m.Run())
}

func interfaces() uicmd.Interfaces {
	return uicmd.Interfaces{
		GitHubPull: githubcmd.Pull, GitHubPush: githubcmd.Push, GitHubSync: githubcmd.Sync, GitHubCollate: githubcmd.Collate, GitHubIntegrate: githubcmd.Integrate,
		PullRequestCreate: githubcmd.CreatePull, PullRequestMerge: githubcmd.MergePull, PullRequestAdvance: githubcmd.AdvancePulls,
	}
}

// clock is that of the server, which begins with the year; it stands still.
func clock() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// A user runs commands in a repository that belongs to one at GitHub.
type user struct {
	*testing.T
	*gittest.Repo
	server *githubserver.Server
	clock  func() time.Time
}

func newUser(t *testing.T) *user {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for _, name := range []string{uiprogram.Name, "git-ralph", "git-ralph-merge-driver", "scripted-agent"} {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	r := gittest.NewRepo(t)
	for key, value := range map[string]string{
		"PATH": bin + string(os.PathListSeparator) + r.Getenv("PATH"), "GH_TOKEN": githubserver.Token, "GIT_RALPH_TEST_GITHUB_PAUSE": "1us",
	} {
		r = r.Setenv(key, value)
	}
	s := githubserver.New(t)
	u := &user{t, r, s, clock}
	u.configure()
	r.Commit("first", map[string]string{"README": "demo"})
	return u
}

func (u *user) configure() {
	for key, value := range map[string]string{
		"ralph.github.host": u.server.URL, "ralph.github.owner": githubserver.Owner, "ralph.github.repo": githubserver.Repo, "ralph.warnInstall": "false",
	} {
		u.Git("config", key, value)
	}
}

// ralph runs a command, and returns its exit code and all that it printed.
func (u *user) ralph(args ...string) (int, string) {
	u.T.Helper()
	var out bytes.Buffer
	env, err := term.NewEnv("")
	if err != nil {
		u.Fatal(err)
	}
	env.Dir, env.Environ, env.In, env.Out, env.Err, env.Terminal = u.Dir, u.Env, strings.NewReader(""), &out, &out, false
	env.Now = u.clock
	code := cli.MainOf(u.Context(), append([]string{"git-ralph"}, args...), env, interfaces())
	return code, out.String()
}

func (u *user) must(want int, args ...string) string {
	u.T.Helper()
	code, out := u.ralph(args...)
	if code != want {
		u.Fatalf("%q: exit %d, want %d: %s", args, code, want, out)
	}
	return out
}

// plan returns the plan of the worktree.
func (u *user) plan() *plan.Plan {
	u.T.Helper()
	data, err := os.ReadFile(u.Path("ralph/plan.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		u.Fatal(err)
	}
	p, problems := plan.DecodeBytes(data)
	if len(problems) > 0 {
		u.Fatal(problems)
	}
	return p
}

// item returns the item with a number.
func (u *user) item(number int) plan.Record {
	u.T.Helper()
	for _, item := range u.plan().Of(plan.KindItem) {
		if item.Number() == number {
			return item
		}
	}
	u.Fatalf("there is no GH-%d", number)
	return plan.Record{}
}

// reply is what a command prints for programs.
type reply struct {
	Changed  []json.RawMessage
	Sent     []struct{ Item string }
	Warnings []string
	Requests int
}

func (u *user) reply(want int, args ...string) (r reply) {
	u.T.Helper()
	out := u.must(want, append(args, "--json")...)
	at := strings.Index(out, "{")
	if err := json.NewDecoder(strings.NewReader(out[max(at, 0):])).Decode(&r); err != nil {
		u.Fatalf("%v in %s", err, out)
	}
	return r
}
