package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// What the history held when it was last read is used without reading it: a new
// task gets no id that one had which is gone, and a dependency on a task that was
// accepted is nothing to warn of (docs/history.md, "The cache").
func TestKnownWithoutReading(t *testing.T) {
	r := gittest.NewRepo(t)
	draws := 0
	run := func(args ...string) string {
		t.Helper()
		var out, messages bytes.Buffer
		env := &term.Env{
			Dir: r.Dir, Environ: r.Env, In: strings.NewReader(""), Out: &out, Err: &messages, Version: "test",
			Now: time.Now, Width: term.DefaultWidth,
			Random: func(int) int { draws++; return (draws - 1) / 4 }, // 0000, 1111, …
		}
		if code := Main(context.Background(), append([]string{"git-ralph"}, args...), env); code != 0 {
			t.Fatalf("%v: %d %s", args, code, &messages)
		}
		return out.String()
	}
	r.Commit("first", map[string]string{"a": "a\n"})
	run("init", "--no-install", "--spec", "s.md")
	run("task", "add", "first")                     // t-0000
	run("task", "add", "second", "--dep", "t-0000") // t-1111
	run("task", "done", "t-0000")
	run("task", "accept", "t-0000")
	if out := run("check"); !strings.Contains(out, "depends on t-0000") {
		t.Errorf("before the history was read, check says nothing of a dependency that is gone:\n%s", out)
	}
	draws = 0
	if out := run("task", "add", "--dry-run", "third"); !strings.Contains(out, "t-2222") {
		t.Errorf("t-0000 stands in a dependency, t-1111 in the plan; got:\n%s", out)
	}
	run("task", "edit", "t-1111", "--remove-dep", "t-0000")
	draws = 0
	if out := run("task", "add", "--dry-run", "third"); !strings.Contains(out, "t-0000") {
		t.Errorf("nothing knows t-0000 any more; got:\n%s", out)
	}
	run("log")
	draws = 0
	if out := run("task", "add", "--dry-run", "third"); !strings.Contains(out, "t-2222") {
		t.Errorf("the history knows t-0000; got:\n%s", out)
	}
	commitPlan(r, `{"t": "spec", "spec": "s.md"}`, `{"t": "task", "id": "t-1111", "spec": "s.md", "name": "second", "s": "p", "deps": ["t-0000"]}`)
	if out := run("check"); strings.Contains(out, "depends on") {
		t.Errorf("check warns of a dependency on a task that was accepted:\n%s", out)
	}
}
