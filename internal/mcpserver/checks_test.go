package mcpserver_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// beProgram is in the environment of a process in which the test binary is our program: checks are run in a process of their own.
const beProgram = "MCPSERVER_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(beProgram) == "" {
		os.Exit(m.Run())
	}
	env, err := term.NewEnv("v1")
	if err != nil {
		os.Exit(cli.Report(env, err))
	}
	os.Exit(cli.Main(context.Background(), os.Args, env))
}

// newCheckedRepo makes a repository with a done task whose checks are allowed.
func newCheckedRepo(t *testing.T, checks ...string) *gittest.Repo {
	t.Helper()
	r := newRepo(t, plan+fmt.Sprintf(`{"t": "task", "id": "t-3", "spec": "s.md", "name": "Done", "s": "d", "check": ["%s"]}`+"\n", strings.Join(checks, `", "`)))
	program, _, _ := strings.Cut(checks[0], " ")
	r.Git("config", "ralph.checks.allow", program)
	return r
}

// A check is ended together with everything that its process started, which must not be a change that is made meanwhile.
func TestChecksDoNotEndChanges(t *testing.T) {
	r := newCheckedRepo(t, "sleep 0.01", "sleep 0.02", "sleep 0.03", "sleep 0.04", "sleep 0.05", "sleep 0.06")
	lines := []string{call("verify", "verify", `{}`)}
	for i := range 40 {
		lines = append(lines, call(i, "task_change", fmt.Sprintf(`{"op": "add", "fields": [{"name": "New %d"}]}`, i)))
	}
	for id, m := range converse(t, r, lines...) {
		if id == "hello" {
			continue
		}
		got := replyOf(t, m)
		if got.Exit != 0 || id == "verify" && !strings.Contains(got.text, `"state":"passed"`) {
			t.Errorf("%s: %s", id, got.text)
		}
	}
	if n := strings.Count(r.ReadFile("ralph/plan.jsonl"), `"name": "New `); n != 40 {
		t.Errorf("the plan has %d of 40 new tasks", n)
	}
}

// Messages of a command in a process of its own arrive as those of the others do, and accepting runs the checks too.
func TestAcceptRunsChecks(t *testing.T) {
	r := newCheckedRepo(t, "false")
	got := one(t, r, "task_change", `{"op": "accept", "ids": ["t-3"], "verified": true}`)
	if got.Exit != 1 || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "failed with exit code 1") {
		t.Errorf("a check that fails: %s", got.text)
	}
	if got := one(t, r, "task_change", `{"op": "accept", "ids": ["t-9"], "verified": true}`); got.Exit != 1 || !strings.Contains(got.Error, "no such task") || got.Hint == "" {
		t.Errorf("no such task: %s", got.text)
	}
	r = newCheckedRepo(t, "true")
	if got := one(t, r, "task_change", `{"op": "accept", "ids": ["t-3"], "verified": true}`); got.Exit != 0 || !strings.Contains(got.text, `"committed":true`) {
		t.Errorf("a check that passes: %s", got.text)
	}
}

// A check does not see the token of the server.
func TestChecksDoNotSeeTheToken(t *testing.T) {
	r := newCheckedRepo(t, "printenv GIT_RALPH_MCP_TOKEN").Setenv("GIT_RALPH_MCP_TOKEN", strings.Repeat("s3cret-", 4))
	if got := one(t, r, "verify", `{}`); !strings.Contains(got.text, `"state":"failed"`) || got.Exit != 1 {
		t.Error(got.text)
	}
}
