//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestClosedPipeEndsARunAfterTheIteration guards: where the reader of a run's output goes away, as in `build --json | head -1`, the
// iteration under way is finished and recorded, the run goes no further, and it ends as a closed pipe ends other programs.
func TestClosedPipeEndsARunAfterTheIteration(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, "always BUILD\n  run while [ ! -e ../go ]; do sleep 0.02; done\n  write {id}.txt {id}\n  report {\"verdict\": \"done\", \"files\": [\"{id}.txt\"]}\n",
		"a", "b", "c", "d", "e", "f")
	b := &build{Cmd: w.command("build", "--json")}
	b.Stderr = &b.out
	out, err := b.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Process.Kill() })
	if first, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(first, `{"t": "run"`) {
		t.Fatalf("%q %v", first, err)
	}
	out.Close()
	w.WriteFile("../go", "")
	if code := b.code(); code != 141 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if got := w.ralph("query"); !strings.Contains(got, `"stage": "BUILD"`) || !strings.Contains(got, `"done_at"`) {
		t.Errorf("nothing is done, or all: %s", got)
	}
	if got := w.Git("status", "--porcelain"); got != "" {
		t.Errorf("left uncommitted: %s", got)
	}
	if got := w.ralph("logs", "--list"); !strings.Contains(got, "interrupted") {
		t.Errorf("the end is not recorded: %s", got)
	}
}

// TestUnreadInputIsNoInterrupt guards: a program that ends before it has read all that we write to it, such as an agent or a git whose
// hook refuses, does not end the run: its SIGPIPE is not that of a closed pipe behind our own output.
func TestUnreadInputIsNoInterrupt(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, "always BUILD\n  run echo >../begun; while [ ! -e ../go ]; do sleep 0.02; done\n  write {id}.txt {id}\n  report {\"verdict\": \"done\", \"files\": [\"{id}.txt\"]}\n", "a", "b")
	b := w.build("--max-iterations", "1")
	for !w.Exists("../begun") {
		time.Sleep(time.Millisecond)
	}
	if err := b.Process.Signal(syscall.SIGPIPE); err != nil {
		t.Fatal(err)
	}
	w.WriteFile("../go", "")
	if code := b.code(); code != 6 || strings.Contains(b.out.String(), "interrupted") {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
}

// TestInterruptedQuestionsChangeNothing guards: the questions of resolve say before the first one that answers are written at the
// end; Ctrl-C among them changes nothing and says so.
func TestInterruptedQuestionsChangeNothing(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, "BUILD\n")
	const conflicts = `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-a", "spec": "s.md", "name": "A", "notes": "one", "s": "p", "conflict": {"notes": ["one", "two"]}}
{"t": "task", "id": "t-b", "spec": "s.md", "name": "B", "notes": "one", "s": "p", "conflict": {"notes": ["one", "two"]}}
`
	w.Commit("by hand", map[string]string{"ralph/plan.jsonl": conflicts})
	head := w.Git("rev-parse", "HEAD")
	cmd := w.command("resolve", "--ask")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	said := bufio.NewReader(errs)
	const question = "quit? "
	before := readTo(t, said, question)
	if !strings.Contains(before, "answers are written when the questions end; q ends them, Ctrl-C changes nothing") {
		t.Errorf("the first question does not say when answers are written: %s", before)
	}
	if _, err := io.WriteString(in, "2\n"); err != nil {
		t.Fatal(err)
	}
	readTo(t, said, question)
	cmd.Process.Signal(os.Interrupt)
	rest, err := io.ReadAll(said)
	if err != nil {
		t.Fatal(err)
	}
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("exit code %d", cmd.ProcessState.ExitCode())
	}
	if !strings.Contains(string(rest), "git-ralph: error: interrupted; nothing was changed\n") {
		t.Errorf("Ctrl-C says %q", rest)
	}
	if got := w.Git("rev-parse", "HEAD"); got != head || w.ReadFile("ralph/plan.jsonl") != conflicts {
		t.Error("the plan was changed")
	}
}

// readTo reads until a text was read.
func readTo(t *testing.T, from *bufio.Reader, end string) string {
	t.Helper()
	var read strings.Builder
	for !strings.HasSuffix(read.String(), end) {
		c, err := from.ReadByte()
		if err != nil {
			t.Fatalf("%v after %q", err, read.String())
		}
		read.WriteByte(c)
	}
	return read.String()
}
