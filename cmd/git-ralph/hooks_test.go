package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"git-ralph/githooks"
)

// TestHookScripts runs the scripts in testdata/hooks: git with our hooks in its
// directory. Beside the commands of TestScripts there are:
//
//	hooks [SHELL…]  put all hooks into the repository's directory, to be run by
//	                SHELL in the middle of a script under `set -eu`
//	plan            commit a plan: tasks t-aaaa, t-bbbb, t-cccc (waits for
//	                t-bbbb), issue i-aaaa
//	clean           index and worktree are as in HEAD, and git need not look
//	state ID S      the task has that state in HEAD's plan
//	idle            from now on git-ralph must not be started
//	example NAME TO  put an example of docs/examples there, as a program
//	lose            from now on PATH has git, sh, cat, mv and rm, and no git-ralph
//	says VERSION    from now on git says that it is of that version
//
// The condition [confighooks] reports whether git takes hooks from its configuration.
func TestHookScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "hooks"),
		Setup: func(env *testscript.Env) error {
			examples, err := filepath.Abs(filepath.Join("..", "..", "docs", "examples"))
			env.Setenv("EXAMPLES", examples)
			return errors.Join(err, isolate(env))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo": makeRepo, "exits": exits, "commits": commits,
			"hooks": putHooks, "plan": commitSomePlan, "clean": isClean, "state": hasState, "idle": forbidStart, "lose": loseProgram, "example": putExample, "says": gitSays,
		},
		Condition: func(name string) (bool, error) {
			if name != "confighooks" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			out, err := exec.Command("git", "version").Output()
			major, minor := 0, 0
			_, errScan := fmt.Sscanf(string(out), "git version %d.%d", &major, &minor)
			return major > 2 || major == 2 && minor >= 54, errors.Join(err, errScan)
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

func putHooks(ts *testscript.TestScript, _ bool, shell []string) {
	ts.Check(ts.Exec("git", "rev-parse", "--git-path", "hooks"))
	dir := ts.MkAbs(strings.TrimSpace(ts.ReadFile("stdout")))
	ts.Check(os.MkdirAll(dir, 0o777))
	for _, name := range slices.Concat(githooks.Names(), githooks.OnDemand()) {
		at := githooks.Place{Plan: "ralph/plan.jsonl", Program: "/nowhere/git-ralph"}
		text := githooks.Script(name, at)
		if len(shell) > 0 {
			text = "#!" + strings.Join(shell, " ") + "\nset -eu\n" + githooks.Body(name, at) + "\n:\n"
		}
		ts.Check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777))
	}
}

const somePlan = `{"t": "spec", "spec": "a.md"}
{"t": "issue", "id": "i-aaaa", "spec": "a.md", "desc": "slow", "created_at": "2026-01-01T00:00:00.000Z"}
{"t": "task", "id": "t-aaaa", "spec": "a.md", "name": "Parser", "s": "p", "created_at": "2026-01-01T00:00:01.000Z"}
{"t": "task", "id": "t-bbbb", "spec": "a.md", "name": "Lexer", "s": "p", "created_at": "2026-01-01T00:00:02.000Z"}
{"t": "task", "id": "t-cccc", "spec": "a.md", "name": "Printer", "deps": ["t-bbbb"], "s": "p", "created_at": "2026-01-01T00:00:03.000Z"}
`

func commitSomePlan(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(os.MkdirAll(ts.MkAbs("ralph"), 0o777))
	ts.Check(os.WriteFile(ts.MkAbs("ralph/plan.jsonl"), []byte(somePlan), 0o666))
	ts.Check(ts.Exec("git", "add", "ralph"))
	ts.Check(ts.Exec("git", "commit", "-q", "-m", "plan"))
}

func isClean(ts *testscript.TestScript, _ bool, _ []string) {
	for _, check := range [][]string{
		{"diff-index", "--quiet", "--cached", "HEAD"}, {"diff-files", "--quiet"}, {"fsck", "--strict", "--no-dangling"},
	} {
		if err := ts.Exec("git", check...); err != nil {
			ts.Fatalf("git %s: %v", strings.Join(check, " "), err)
		}
	}
}

func hasState(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: state ID S")
	}
	ts.Check(ts.Exec("git", "show", "HEAD:ralph/plan.jsonl"))
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if strings.Contains(line, `"t": "task", "id": "`+args[0]+`"`) {
			if !strings.Contains(line, `"s": "`+args[1]+`"`) {
				ts.Fatalf("the task is not %s: %s", args[1], line)
			}
			return
		}
	}
	ts.Fatalf("there is no task %s", args[0])
}

func forbidStart(ts *testscript.TestScript, _ bool, _ []string) {
	dir := ts.MkAbs(filepath.Join(ts.Getenv("WORK"), ".idle"))
	ts.Check(os.MkdirAll(dir, 0o777))
	stub := "#!/bin/sh\necho 'git-ralph was started' >&2\nexit 1\n"
	ts.Check(os.WriteFile(filepath.Join(dir, "git-ralph"), []byte(stub), 0o777))
	ts.Setenv("PATH", dir+string(os.PathListSeparator)+ts.Getenv("PATH"))
}

func loseProgram(ts *testscript.TestScript, _ bool, _ []string) {
	dir := filepath.Join(ts.Getenv("WORK"), ".lost")
	ts.Check(os.MkdirAll(dir, 0o777))
	for _, name := range []string{"git", "sh", "cat", "mv", "rm"} {
		path, err := exec.LookPath(name)
		ts.Check(err)
		ts.Check(os.Symlink(path, filepath.Join(dir, name)))
	}
	ts.Setenv("PATH", dir)
}

func gitSays(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: says VERSION")
	}
	real, err := exec.LookPath("git") // not one of ours
	ts.Check(err)
	dir := filepath.Join(ts.Getenv("WORK"), ".says")
	ts.Check(os.MkdirAll(dir, 0o777))
	// git itself would put the directory of its own programs before this one on the PATH.
	script := "#!/bin/sh\ncase $1 in\nversion) echo 'git version " + args[0] + "' ;;\n" +
		"ralph) shift && exec git-ralph \"$@\" ;;\n*) exec '" + real + "' \"$@\" ;;\nesac\n"
	ts.Check(os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o777))
	if path := ts.Getenv("PATH"); !strings.HasPrefix(path, dir) {
		ts.Setenv("PATH", dir+string(os.PathListSeparator)+path)
	}
}

func putExample(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: example NAME TO")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(ts.ReadFile(filepath.Join(ts.Getenv("EXAMPLES"), args[0]))), 0o777))
}
