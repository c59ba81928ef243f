package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/pty"
)

// openTerminal opens a pseudo-terminal of 24 lines, and returns our end of it and that of a program.
func openTerminal(t *testing.T, columns uint16) (ours, theirs *os.File) {
	t.Helper()
	ours, theirs, err := pty.Open(columns, 24)
	if err != nil {
		t.Skipf("there are no pseudo-terminals: %v", err)
	}
	return ours, theirs
}

// onTerminal runs git ralph with its output and messages on a terminal, and returns the lines that it wrote there. Nobody is there
// to answer.
func onTerminal(t *testing.T, r *gittest.Repo, columns int, args ...string) []string {
	t.Helper()
	ours, theirs := openTerminal(t, uint16(columns))
	defer ours.Close()
	cmd := exec.Command("git-ralph", args...)
	cmd.Dir, cmd.Env = r.Dir, append(r.Env, "NO_COLOR=1", "GIT_PAGER=cat", "TERM=xterm")
	cmd.Stdout, cmd.Stderr = theirs, theirs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	text, _ := io.ReadAll(ours) // ends with EIO where the last writer is gone
	cmd.Wait()                  //nolint:errcheck // many of them fail
	if len(text) == 0 {
		t.Errorf("git ralph %s prints nothing", strings.Join(args, " "))
	}
	return strings.Split(strings.ReplaceAll(strings.TrimSuffix(string(text), "\r\n"), "\r\n", "\n"), "\n")
}

// toCopy reports whether a line is one word or one command, which are not broken.
func toCopy(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "command: ") || !strings.Contains(line, " ") || line[0] == '`' && !strings.Contains(line[strings.LastIndex(line, "`"):], " ")
}

// A place is a repository in some state, and what a user tries in it.
type place struct {
	name  string
	make  func(r *gittest.Repo)
	lines string // command lines, in order
}

// places are those of a first hour in which much goes wrong.
var places = []place{
	{"a plan that nothing is installed for", func(r *gittest.Repo) {
		r.WriteFile(".gitattributes", "/ralph/plan.jsonl merge=ralph\n")
		r.WriteFile("ralph/plan.jsonl", `{"t": "spec", "spec": "coverage.md"}
{"t": "task", "id": "t-1a2b", "spec": "coverage.md", "name": "Parse", "s": "p", "priority": "low", "conflict": {"priority": ["low", "high"]}}
{"t": "task", "id": "t-2c3d", "spec": "coverage.md", "name": "Show the report of coverage of a directory as a table", "s": "d", "done_at": "x", "deps": ["t-1a2b"]}
{"t": "task", "id": "t-3e4f", "spec": "coverage.md", "name": "長い名前のタスクは端末の幅で折り返されます", "s": "a", "nots": "x"}
`)
		r.Git("add", ".")
		r.Git("commit", "-q", "-m", "plan")
	}, `

status
doctor
check
check --strict
rm t-1a2b
task rm t-1a2b
frobnicate
task add x --prio high
build -max-cost 3
log --limit x
build --max-cost 3x
build --max-time 3x
build --stage VERFIY
build --stage VERIFY
build --agent nobody
build --dry-run
build
build stop
logs 0
logs
task add x --dep t-zzzz --dry-run
task add x --priority urgent
task add {"name":"x","prio":"low"} --dry-run
task add vague
task show t-zzzz
show t-zzzz
task done t-2c3d
task edit t-1a2b {"done_at":1}
task edit t-1a2b --name Parse
task list --search nowhere
log --grep nowhere
log --branch nowhere
set-spec nope.md
set-spec ../nope.md
plan nope.md
plan --help
trust --list
trust
diff nowhere
task reject t-1a2b
restore t-zzzz
issue done i-zzzz
query --plan nowhere.jsonl
resolve
resolve t-1a2b.priority
resolve --list
prime --for nobody
init
install --into husky
install
status
doctor
doctor --fix
task cancel t-1a2b
merge-preview nowhere
-C nowhere status
uninstall`},
	{"no plan", func(*gittest.Repo) {}, `
status
doctor
check
query
task done
build
log
show t-1a2b`},
	{"a plan that is missing", func(r *gittest.Repo) {
		r.WriteFile("ralph/plan.jsonl", `{"t": "spec", "spec": "coverage.md"}`+"\n")
		r.Git("add", ".")
		r.Git("commit", "-q", "-m", "plan")
		r.Git("rm", "-q", "--cached", "ralph/plan.jsonl")
		r.Git("reset", "-q")
		if err := os.Remove(r.Path("ralph/plan.jsonl")); err != nil {
			panic(err)
		}
	}, `
status
doctor
check
task add x
build
init`},
	{"a plan that is garbage", func(r *gittest.Repo) {
		r.WriteFile("ralph/plan.jsonl", "garbage\n{\"t\": \"task\", \"id\": 3}\n<<<<<<< HEAD\n")
	}, `
status
doctor
check
task add x
resolve
fmt`},
	{"no repository", func(r *gittest.Repo) {
		if err := os.RemoveAll(r.Path(".git")); err != nil {
			panic(err)
		}
	}, `
status
doctor
init
task add x`},
}

// TestNoLineIsWiderThanTheTerminal guards: neither results nor messages are wider than the terminal that shows them, except
// for one word or one command that a user would copy. Each command line gets one of the widths; with GIT_RALPH_WIDTHS=all
// all of them.
func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	widths := []int{80, 60, 40}
	for _, p := range places {
		r := gittest.NewRepo(t)
		p.make(r)
		for i, line := range strings.Split(strings.TrimPrefix(p.lines, "\n"), "\n") {
			for j, columns := range widths {
				if i%len(widths) != j && os.Getenv("GIT_RALPH_WIDTHS") != "all" {
					continue
				}
				for _, shown := range onTerminal(t, r, columns, strings.Fields(line)...) {
					if width := displaywidth.String(shown); width > columns && !toCopy(shown) {
						t.Errorf("%s: git ralph %s: %d columns, the terminal has %d:\n%s", p.name, line, width, columns, shown)
					}
				}
			}
		}
	}
}
