package safefile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"git-ralph/internal/safefile"
)

func beginEdit(t *testing.T, path string) *safefile.Edit {
	t.Helper()
	e, err := safefile.BeginEdit(path)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Nothing shows before Commit; the file keeps its permissions, and a symbolic link leads to it as before.
func TestEditReplacesTarget(t *testing.T) {
	root := t.TempDir()
	target := filepath.Join(root, "target")
	noError(t, os.WriteFile(target, []byte("old"), 0o600))
	link(t, "target", filepath.Join(root, "link"))
	e := beginEdit(t, filepath.Join(root, "link"))
	if old, exists := e.Old(); string(old) != "old" || !exists {
		t.Errorf("old %q, %v", old, exists)
	}
	noError(t, e.Prepare([]byte("a longer one")))
	noError(t, e.Prepare([]byte("new")))
	if got := read(t, root, "target"); got != "old" {
		t.Errorf("before Commit: %q", got)
	}
	noError(t, e.Commit())
	e.Close()
	if got := read(t, root, "link"); got != "new" {
		t.Errorf("after Commit: %q", got)
	}
	info, err := os.Stat(target)
	noError(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v", info.Mode())
	}
	if entries, _ := os.ReadDir(root); len(entries) != 2 {
		t.Errorf("left %v", entries)
	}
}

// One that was called off leaves no trace, not even the directories that it needed; one that was made for nothing else is
// taken away with them.
func TestEditLeavesNoTrace(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a", "b", "file")
	e := beginEdit(t, path)
	if _, exists := e.Old(); exists || e.NewDirs() != 2 {
		t.Errorf("exists %v, %d directories", exists, e.NewDirs())
	}
	noError(t, e.Prepare([]byte("new")))
	e.Close()
	if entries, _ := os.ReadDir(root); len(entries) != 0 {
		t.Fatalf("left %v", entries)
	}
	e = beginEdit(t, path)
	noError(t, e.Prepare([]byte("new")))
	noError(t, e.Commit())
	if got := read(t, root, "a/b/file"); got != "new" {
		t.Errorf("got %q", got)
	}
	e = beginEdit(t, path)
	e.PrepareRemoval(2)
	e.Close()
	if got := read(t, root, "a/b/file"); got != "new" {
		t.Errorf("after calling off: %q", got)
	}
	noError(t, os.WriteFile(filepath.Join(root, "a", "mine"), nil, 0o666))
	e = beginEdit(t, path)
	e.PrepareRemoval(2)
	noError(t, e.Commit())
	e.Close()
	onlyFile(t, filepath.Join(root, "a"), "mine")
}

// git's lock keeps us out and stays; so do permissions, and what is no file.
func TestEditRefuses(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "config")
	noError(t, os.WriteFile(path, []byte("old"), 0o666))
	noError(t, os.WriteFile(path+".lock", nil, 0o666))
	if _, err := safefile.BeginEdit(path); !errors.Is(err, safefile.ErrLocked) {
		t.Errorf("locked: %v", err)
	}
	if _, err := os.Stat(path + ".lock"); err != nil {
		t.Errorf("the lock of somebody else: %v", err)
	}
	noError(t, os.Remove(path+".lock"))
	noError(t, os.Chmod(path, 0o444))
	if _, err := safefile.BeginEdit(path); !errors.Is(err, safefile.ErrReadOnly) {
		t.Errorf("read-only: %v", err)
	}
	noError(t, os.Chmod(path, 0o666))
	onlyFile(t, root, "config")
	noError(t, os.Mkdir(filepath.Join(root, "directory"), 0o777))
	if _, err := safefile.BeginEdit(filepath.Join(root, "directory")); !errors.Is(err, safefile.ErrNotFile) {
		t.Errorf("directory: %v", err)
	}
	if _, err := safefile.BeginEdit(filepath.Join(path, "below")); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below a file: %v", err)
	}
	link(t, "loop", filepath.Join(root, "loop"))
	if _, err := safefile.BeginEdit(filepath.Join(root, "loop")); err == nil {
		t.Error("a loop of links has no end")
	}
}

// editUntilKilled leaves an edit of a file that is there half done, and one of a new file that is prepared.
func editUntilKilled(root string) {
	for _, name := range []string{"old", filepath.Join("sub", "new")} {
		e, err := safefile.BeginEdit(filepath.Join(root, name))
		if err == nil {
			err = e.Prepare([]byte("half"))
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	waitToBeKilled()
}

// The lock file of an edit that is under way keeps others out; one that a killed process left is taken over, and nothing stays of it.
func TestEditTakesOverLockOfKilledProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its locks keep a file from being renamed")
	}
	root := t.TempDir()
	old, created := filepath.Join(root, "old"), filepath.Join(root, "sub", "new")
	noError(t, os.WriteFile(old, []byte("before"), 0o666))
	holder := startHolder(t, "edit", root)
	safefile.RemoveLeftovers(old, 0)
	if _, err := safefile.BeginEdit(old); !errors.Is(err, safefile.ErrLocked) {
		t.Errorf("while it is held: %v", err)
	}
	holder.Kill()
	e := beginEdit(t, old)
	if data, _ := e.Old(); string(data) != "before" {
		t.Errorf("read %q", data)
	}
	if _, err := safefile.BeginEdit(old); !errors.Is(err, safefile.ErrLocked) {
		t.Errorf("after it was taken over: %v", err)
	}
	noError(t, e.Prepare([]byte("after")))
	noError(t, e.Commit())
	if got := read(t, root, "old"); got != "after" {
		t.Errorf("wrote %q", got)
	}
	safefile.RemoveLeftovers(created, 1)
	onlyFile(t, root, "old")
}

// Of many who edit a file at once, each does so alone, also where some are killed: whoever takes over a lock file has it alone.
func TestEditAdmitsOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n")
	noError(t, os.WriteFile(path, []byte("0"), 0o666))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for done := 0; done < 25; {
				e, err := safefile.BeginEdit(path)
				if errors.Is(err, safefile.ErrLocked) {
					runtime.Gosched()
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				old, _ := e.Old()
				n, _ := strconv.Atoi(string(old))
				if err := errors.Join(e.Prepare([]byte(strconv.Itoa(n+1))), e.Commit()); err != nil {
					t.Error(err)
				}
				done++
			}
		})
	}
	wg.Wait()
	if got := read(t, filepath.Dir(path), "n"); got != "200" {
		t.Errorf("counted %s, want 200", got)
	}
	onlyFile(t, filepath.Dir(path), "n")
}
