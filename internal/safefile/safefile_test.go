package safefile_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/proc"
	"git-ralph/internal/safefile"
)

// A re-executed test binary plays the other process.
func TestMain(m *testing.M) {
	switch os.Getenv("SAFEFILE_CHILD") {
	case "hold":
		holdUntilKilled(os.Getenv("SAFEFILE_PATH"))
	case "full":
		writeTooMuch(os.Getenv("SAFEFILE_PATH"))
	case "edit":
		editUntilKilled(os.Getenv("SAFEFILE_PATH"))
	case "count":
		countUp(os.Getenv("SAFEFILE_PATH"))
	default:
		os.Exit(m.Run())
	}
}

func holdUntilKilled(path string) {
	if _, err := safefile.Lock(context.Background(), path, "task done"); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	waitToBeKilled()
}

func waitToBeKilled() {
	fmt.Println("held")
	never := make(chan os.Signal, 1)
	signal.Notify(never)
	<-never
}

// countUp reads, adds one and writes without any care, which only a lock makes right.
func countUp(path string) {
	for range 20 {
		held, err := safefile.Lock(context.Background(), path+".lock", "count")
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		data, _ := os.ReadFile(path)
		n, _ := strconv.Atoi(string(data))
		os.WriteFile(path, []byte(strconv.Itoa(n+1)), 0o666)
		held.Release()
	}
}

func child(t *testing.T, role, path string) proc.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return proc.Cmd{Name: exe, Env: append(os.Environ(), "SAFEFILE_CHILD="+role, "SAFEFILE_PATH="+path)}
}

// docs/promises.md, one writer: no update is lost among processes.
func TestLockExcludesProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := proc.Run(context.Background(), child(t, "count", path)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if data, _ := os.ReadFile(path); string(data) != "160" {
		t.Errorf("counted %s, want 160", data)
	}
}

// startHolder starts a process that holds something until it is killed.
func startHolder(t *testing.T, role, path string) *proc.Conversation {
	t.Helper()
	holder, err := proc.Start(context.Background(), child(t, role, path))
	if err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(holder.Out).ReadString('\n'); line != "held\n" {
		t.Fatalf("holder says %q", line)
	}
	return holder
}

// docs/promises.md, one writer: the error names the holder, and a holder that died holds nothing.
func TestLockNamesHolderAndSurvivesIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	holder := startHolder(t, "hold", path)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	_, err := safefile.Lock(ctx, path, "task add")
	var held *safefile.HeldError
	if !errors.As(err, &held) || held.Holder.PID == 0 || held.Holder.What != "task done" {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(err.Error(), strconv.Itoa(held.Holder.PID)) {
		t.Errorf("error %q does not name the process", err)
	}
	holder.Kill()
	got, err := safefile.Lock(context.Background(), path, "task add")
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Release(); err != nil {
		t.Error(err)
	}
	if err := got.Release(); err != nil {
		t.Errorf("second release: %v", err)
	}
}

func TestLockInMissingDirectory(t *testing.T) {
	_, err := safefile.Lock(context.Background(), filepath.Join(t.TempDir(), "no", "lock"), "x")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestWriteReplacesWhole(t *testing.T) {
	root := t.TempDir()
	for _, content := range []string{"first\n", "", "second\n"} {
		if err := safefile.Write(root, "a/b/plan.jsonl", []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := read(t, root, "a/b/plan.jsonl"); got != content {
			t.Errorf("read %q, want %q", got, content)
		}
	}
	onlyFile(t, filepath.Join(root, "a/b"), "plan.jsonl")
}

func TestWriteKeepsMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	root := t.TempDir()
	path := filepath.Join(root, "f")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o754); err != nil {
		t.Fatal(err)
	}
	if err := safefile.Write(root, "f", []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o754 {
		t.Errorf("mode %v", info.Mode())
	}
}

// docs/promises.md: never through a symbolic link.
func TestWriteRefusesLinks(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	target := filepath.Join(outside, "target")
	if err := os.WriteFile(target, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	link(t, target, filepath.Join(root, "file"))
	link(t, outside, filepath.Join(root, "dir"))
	link(t, filepath.Join(root, "nowhere"), filepath.Join(root, "dangling"))
	for _, name := range []string{"file", "dir/target", "dir/new/target", "dangling"} {
		if err := safefile.Write(root, name, []byte("x"), 0o666); !errors.Is(err, safefile.ErrSymlink) {
			t.Errorf("%s: got %v", name, err)
		}
		if err := safefile.Check(root, name); !errors.Is(err, safefile.ErrSymlink) {
			t.Errorf("check %s: got %v", name, err)
		}
	}
	if got := read(t, outside, "target"); got != "mine" {
		t.Errorf("wrote through a link: %q", got)
	}
	onlyFile(t, outside, "target")
}

func TestWriteRefusesWrongKinds(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "ralph"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := safefile.Write(root, "ralph/plan.jsonl", nil, 0o666); !errors.Is(err, safefile.ErrNotDirectory) {
		t.Errorf("file for a directory: %v", err)
	}
	if err := os.Mkdir(filepath.Join(root, "d"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := safefile.Write(root, "d", nil, 0o666); !errors.Is(err, safefile.ErrNotFile) {
		t.Errorf("directory for a file: %v", err)
	}
	if err := safefile.Write(root, "../out", nil, 0o666); err == nil {
		t.Error("wrote outside the root")
	}
}

// docs/promises.md, a crash: what a killed Write left is found and removed, and nothing else is.
func TestRemoveTemps(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"ralph/.plan.jsonl.git-ralph-abc.tmp", "ralph/.plan.jsonl.mine.tmp", "ralph/.other.jsonl.git-ralph-abc.tmp", "ralph/plan.jsonl"} {
		if err := safefile.Write(root, name, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	safefile.RemoveTemps(root, "ralph/plan.jsonl")
	left, err := filepath.Glob(filepath.Join(root, "ralph", "*"))
	if err != nil || len(left) != 3 {
		t.Errorf("left %q, %v", left, err)
	}
	safefile.RemoveTemps(root, "missing/plan.jsonl")
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("left in %s: %v", dir, entries)
	}
}
