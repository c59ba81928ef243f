//go:build unix

package proc_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"git-ralph/internal/proc"
)

// testParent names the directory of a child of this test binary that starts children of its own, and then waits to be killed.
const testParent = "RALPH_TEST_PARENT"

func startChild(t *testing.T, script, mark string) *proc.Child {
	t.Helper()
	ch, err := proc.StartChild(proc.Cmd{Name: "sh", Args: []string{"-c", script}}, mark)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ch.End(0) })
	return ch
}

// Several children run at once; ending one ends what it started, and nothing of the others.
func TestChildrenEndOneByOne(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows the environment of others")
	}
	dir := t.TempDir()
	script := func(name string) string {
		return `setsid sh -c 'trap "" TERM; echo $$ >"` + dir + `/` + name + `-away"; while :; do sleep 1; done' & echo $$ >"` + dir + `/` + name + `"; wait`
	}
	one, two := startChild(t, script("one"), "RALPH_TEST_CHILD="+dir+"1"), startChild(t, script("two"), "RALPH_TEST_CHILD="+dir+"2")
	away, other, otherAway := awaitPID(t, filepath.Join(dir, "one-away")), awaitPID(t, filepath.Join(dir, "two")), awaitPID(t, filepath.Join(dir, "two-away"))
	awaitPID(t, filepath.Join(dir, "one"))
	one.End(time.Second)
	if lives(away) || !lives(other) || !lives(otherAway) {
		t.Errorf("left of the first: %v; of the second: %v %v", lives(away), lives(other), lives(otherAway))
	}
	if one.Code() != -1 {
		t.Errorf("code %d", one.Code())
	}
	two.Signal(os.Kill)
	if !two.EndRemaining(time.Millisecond) || lives(otherAway) {
		t.Error("what a killed child left is not ended")
	}
}

// A child ends when its parent is killed.
func TestChildEndsWithItsParent(t *testing.T) {
	if dir := os.Getenv(testParent); dir != "" {
		startAndWait(t, dir)
	}
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent, err := proc.StartChild(proc.Cmd{Name: self, Args: []string{"-test.run=^TestChildEndsWithItsParent$"}, Env: append(os.Environ(), testParent+"="+dir)}, "RALPH_TEST_CHILD="+dir)
	if err != nil {
		t.Fatal(err)
	}
	child := awaitPID(t, filepath.Join(dir, "child"))
	parent.Signal(os.Kill)
	<-parent.Exited()
	for range 12000 {
		if !lives(child) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("the child goes on without its parent")
}

// startAndWait is what the parent of TestChildEndsWithItsParent does.
func startAndWait(t *testing.T, dir string) {
	ch := startChild(t, "while :; do sleep 1; done", "RALPH_TEST_CHILD="+dir+"/")
	if err := ch.EndWithParent(); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "child"), []byte(strconv.Itoa(ch.ID.PID)+"\n"), 0o600) //nolint:errcheck // the other side waits for it
	time.Sleep(time.Hour)
}
