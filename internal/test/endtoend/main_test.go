package endtoend

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// planFile is where the plan lies.
const planFile = "ralph/plan.jsonl"

// bin is the directory of the programs under test, built as they ship.
var bin string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "git-ralph-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for name, pkg := range map[string]string{"git-ralph": "cmd/git-ralph", "git-ralph-merge-driver": "merge-driver", "git-ralph-workplan-parser": "cmd/git-ralph-workplan-parser"} {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		build := exec.Command("go", "build", "-buildvcs=false", "-tags", "urfave_cli_no_docs", "-ldflags", "-s -w", "-o", filepath.Join(dir, name), "git-ralph/"+pkg)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
			return 1
		}
	}
	bin = dir
	return m.Run()
}

// repo is a test repository with git-ralph on its PATH.
type repo struct {
	*gittest.Repo
	t    *testing.T
	from string // the directory that the program runs in, below the root
}

func withProgram(t *testing.T, r *gittest.Repo) *repo {
	path := bin + string(os.PathListSeparator) + r.Getenv("PATH")
	return &repo{Repo: r.Setenv("PATH", path).With(t), t: t}
}

// newPlan makes a repository with some files and a plan, committed.
func newPlan(t *testing.T, initArgs ...string) *repo {
	t.Helper()
	r := withProgram(t, gittest.NewRepo(t, initArgs...))
	r.Commit("first", map[string]string{
		"a.txt": "a\n", "b.txt": "b\n", "c.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "dir/d.txt": "d\n", "gone.txt": "gone\n",
	})
	r.must("init", "--no-install", "--spec", "spec.md")
	return r
}

// an outcome is what one call of the program came to.
type outcome struct {
	code   int
	stdout string
	stderr string
}

// ralph runs the program in a directory of the repository.
func (r *repo) ralph(args ...string) outcome {
	cmd := exec.Command(filepath.Join(bin, "git-ralph"), args...)
	cmd.Dir, cmd.Env = filepath.Join(r.Dir, r.from), r.Env
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// must is ralph for a call that has to succeed. It returns standard output.
func (r *repo) must(args ...string) string {
	r.t.Helper()
	out := r.ralph(args...)
	if out.code != 0 {
		r.t.Fatalf("git-ralph %s: exit %d\n%s%s", strings.Join(args, " "), out.code, out.stdout, out.stderr)
	}
	return out.stdout
}

// result is what a mutation prints.
type result struct {
	Committed bool
	Commit    string
	Reason    string
	Changed   []struct {
		T, ID, S string
	}
}

// mutate runs a mutation and returns its result.
func (r *repo) mutate(args ...string) result {
	r.t.Helper()
	return r.parse(r.must(args...))
}

func (r *repo) parse(stdout string) result {
	r.t.Helper()
	var res result
	if err := json.Unmarshal([]byte(stdout), &res); err != nil {
		r.t.Fatalf("%v in %s", err, stdout)
	}
	return res
}

// add adds a task and returns its id.
func (r *repo) add(name string) string {
	r.t.Helper()
	res := r.mutate("task", "add", name)
	if len(res.Changed) != 1 {
		r.t.Fatalf("changed %v", res.Changed)
	}
	return res.Changed[0].ID
}
