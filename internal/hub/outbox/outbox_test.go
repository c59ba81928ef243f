package outbox_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"git-ralph/internal/hub"
	"git-ralph/internal/hub/outbox"
	"git-ralph/internal/workplan"
)

// childDirectory makes the test binary change the outbox of a directory until it is killed.
const childDirectory = "GIT_RALPH_TEST_OUTBOX"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDirectory); dir != "" {
		for i := 0; ; i++ {
			if err := queueTask(dir, "child-"+strconv.Itoa(i)); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println(i)
		}
	}
	os.Exit(m.Run())
}

// queueTask queues a task of its own workplan.
func queueTask(dir, id string) error {
	return outbox.Of(dir, "http://hub").Change(func(s *hub.State) {
		s.Reconcile(&workplan.File{ID: id, Workstream: "ws", Tasks: []workplan.Task{{ID: "T", Status: workplan.Done, HubTask: id}}}, false)
	})
}

func view(t *testing.T, dir, target string) hub.State {
	t.Helper()
	s, err := outbox.Of(dir, target).View()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestKilled guards: what was queued before a SIGKILL is there afterwards, in its order, and the next process can go on.
func TestKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 4 {
		dir := t.TempDir()
		child := exec.Command(self)
		child.Env = append(os.Environ(), childDirectory+"="+dir)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != strconv.Itoa(5+round) {
		}
		child.Process.Kill() //nolint:errcheck // Wait says whether it ended
		for lines.Scan() {
		}
		child.Wait() //nolint:errcheck // it was killed
		queue := view(t, dir, "http://hub").Queue
		if len(queue) < 5+round+1 {
			t.Errorf("%d entries after %d were reported", len(queue), 5+round+1)
		}
		for i, e := range queue {
			if e.ID != "child-"+strconv.Itoa(i) {
				t.Errorf("%d: %+v", i, e)
			}
		}
		if err := queueTask(dir, "after"); err != nil {
			t.Error(err)
		}
	}
}

// TestOwnFile guards: many writers at once lose nothing, and another hub has another queue.
func TestOwnFile(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			if err := queueTask(dir, strconv.Itoa(i)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := len(view(t, dir, "http://hub").Queue); n != 20 {
		t.Errorf("%d entries", n)
	}
	if n := len(view(t, dir, "http://other").Queue); n != 0 {
		t.Errorf("another hub has %d entries", n)
	}
}

// TestDamaged guards: a damaged file is reported by its name, and not replaced.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	if err := queueTask(dir, "1"); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir + "/ralph/hub")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") {
			if err := os.WriteFile(dir+"/ralph/hub/"+e.Name(), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := queueTask(dir, "2"); err == nil || !strings.Contains(err.Error(), ".json") {
		t.Error(err)
	}
}
