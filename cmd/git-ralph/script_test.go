package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"git-ralph/internal/test/gittest"
)

// TestMain lets the test binary be our programs when a script calls them, so that
// scripts start real processes and `git ralph` finds one on PATH.
func TestMain(m *testing.M) {
	testscript.Main(withSignals{m}, map[string]func(){
		"git-ralph": main, "git-ralph-merge-driver": mergeDriver, "git-ralph-workplan-parser": workplanParser, "scripted-agent": scriptedAgent,
		"git-ralph-ui": main, // stands in for the program, which would slow every script down: it has the same commands and version
	})
}

// withSignals are tests whose programs get signals.
type withSignals struct{ *testing.M }

func (m withSignals) Run() int {
	gittest.ReceiveSignals()
	return m.M.Run()
}

// TestScripts runs the scripts in testdata/script, one a topic. Each begins
// with the promise that it guards. Beside testscript's own commands there are:
//
//	repo [DIR]           make a repository with one commit, and go there
//	exits CODE COMMAND…  run a command that must end with that code
//	commits N            HEAD must have that many commits
//	env-file NAME FILE   set a variable to the first line of a file
//	branch NAME FILE CONTENT TASK  make a branch from base with a commit that has the file, and the task done
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   filepath.Join("testdata", "script"),
		Setup: isolate,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo": makeRepo, "exits": exits, "commits": commits, "env-file": envFile, "branch": makeBranch,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// isolate gives a script its own user, who has no settings but a name.
func isolate(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, ".home")
	for _, pair := range gittest.Environ(home) {
		key, value, _ := strings.Cut(pair, "=")
		if key != "PATH" {
			env.Setenv(key, value)
		}
	}
	if err := os.Mkdir(home, 0o777); err != nil {
		return err
	}
	config := "[user]\n\tname = A U Thor\n\temail = author@example.com\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n" +
		"[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"
	return os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o666)
}

func makeRepo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: repo [DIR]")
	}
	if len(args) == 1 {
		ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o777))
		ts.Check(ts.Chdir(args[0]))
	}
	ts.Check(ts.Exec("git", "init", "-q"))
	ts.Check(ts.Exec("git", "commit", "-q", "--allow-empty", "-m", "first"))
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}

func commits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: commits N")
	}
	ts.Check(ts.Exec("git", "rev-list", "--count", "HEAD"))
	out := strings.TrimSpace(ts.ReadFile("stdout"))
	if out != args[0] {
		ts.Fatalf("%s commits, want %s", out, args[0])
	}
}

func envFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: env-file NAME FILE")
	}
	line, _, _ := strings.Cut(ts.ReadFile(args[1]), "\n")
	ts.Setenv(args[0], line)
}

// makeBranch makes a branch as somebody leaves it who did one task.
func makeBranch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: branch NAME FILE CONTENT TASK")
	}
	ts.Check(ts.Exec("git", "checkout", "-q", "-b", args[0], "base"))
	content := ts.ReadFile(filepath.Join(ts.Getenv("WORK"), args[2]))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(content), 0o666))
	ts.Check(ts.Exec("git", "add", args[1]))
	ts.Check(ts.Exec("git", "commit", "-q", "-m", args[0]))
	ts.Check(ts.Exec("git", "ralph", "task", "done", args[3]))
}
