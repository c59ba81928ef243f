package git

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/proc"
)

// A git command that is killed leaves its lock files behind, and the following commands fail. A lock file does not name the
// process that made it. It is therefore removed only if a command has ended that ran when the file was made, every other git that ran
// here when the file was found has ended too, and the file does not change. A git that begins later did not make it.

// An EndedProcess may have left lock files behind, or its children may. It and all of them have ended.
type EndedProcess struct {
	PID   int // 0 where it is not known
	Began time.Time
}

const (
	// unchangedTime is how long a lock file must stay unchanged: git replaces or removes its own within milliseconds.
	unchangedTime = 500 * time.Millisecond
	// recordDelay is how long after the start of a process its start may be recorded.
	recordDelay = 10 * time.Second
	// othersTime is how long other git commands, which may have made a lock file, are waited for.
	othersTime = 3 * time.Second
)

// RemoveStaleLocks removes the lock files that ended processes left behind, and returns their paths. Those that may be somebody
// else's stay.
func RemoveStaleLocks(r *Repo, gone ...EndedProcess) (removed []string) {
	if len(gone) == 0 {
		return nil
	}
	locks := leftIndexes(r, gone)
	began := gone[0].Began
	for _, g := range gone {
		if g.Began.Before(began) {
			began = g.Began
		}
	}
	locks = append(locks, staleLocks(r, began.Add(-recordDelay))...)
	for _, path := range locks {
		if os.Remove(path) == nil {
			removed = append(removed, path)
		}
	}
	return removed
}

// staleLocks lists the lock files that were made since began and that nobody can be using.
func staleLocks(r *Repo, began time.Time) []string {
	found := lockFiles(r, began)
	if len(found) == 0 {
		return nil
	}
	others, ok := proc.RunningIn("git", workDirs(r)...)
	if !ok || !ended(others) {
		return nil
	}
	var still []string
	for path, info := range lockFiles(r, began) {
		if was, ok := found[path]; ok && os.SameFile(was, info) && was.ModTime().Equal(info.ModTime()) && was.Size() == info.Size() {
			still = append(still, path)
		}
	}
	slices.Sort(still)
	return still
}

// workDirs lists the directories in which a git that uses the repository's references may run: those of all its worktrees.
func workDirs(r *Repo) []string {
	dirs := []string{r.root, r.gitDir, r.commonDir}
	if filepath.Base(r.commonDir) == ".git" {
		dirs = append(dirs, filepath.Dir(r.commonDir))
	}
	linked := filepath.Join(r.commonDir, "worktrees")
	entries, _ := os.ReadDir(linked) //nolint:errcheck // without it there are none
	for _, e := range entries {
		if link, err := os.ReadFile(filepath.Join(linked, e.Name(), "gitdir")); err == nil && filepath.IsAbs(string(link)) {
			dirs = append(dirs, filepath.Dir(strings.TrimSpace(string(link))))
		}
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" })
}

// ended waits for unchangedTime, and for processes to end. It reports whether all have ended.
func ended(others []proc.ID) bool {
	for waited := time.Duration(0); waited < othersTime; waited += unchangedTime / 10 {
		if waited >= unchangedTime && !slices.ContainsFunc(others, proc.ID.Alive) {
			return true
		}
		time.Sleep(unchangedTime / 10)
	}
	return false
}

// lockFiles finds the lock files of index and references that were made since began.
func lockFiles(r *Repo, began time.Time) map[string]fs.FileInfo {
	found := map[string]fs.FileInfo{}
	look := func(path string) {
		info, err := os.Lstat(path)
		if err == nil && info.Mode().IsRegular() && !info.ModTime().Before(began) && LockToken(path) == "" {
			found[path] = info
		}
	}
	look(r.IndexPath() + ".lock")
	for _, dir := range []string{r.gitDir, r.commonDir} {
		for _, name := range []string{"HEAD", "ORIG_HEAD", "packed-refs", "shallow"} {
			look(filepath.Join(dir, name+".lock"))
		}
		filepath.WalkDir(filepath.Join(dir, "refs"), func(path string, _ fs.DirEntry, err error) error { //nolint:errcheck // what cannot be read is not removed
			if err == nil && strings.HasSuffix(path, ".lock") {
				look(path)
			}
			return nil
		})
	}
	return found
}

// leftIndexes lists the temporary indexes that ended processes made for a commit. Their names contain the process id.
func leftIndexes(r *Repo, gone []EndedProcess) []string {
	var left []string
	for _, g := range gone {
		if g.PID == 0 {
			continue
		}
		path := filepath.Join(r.gitDir, "next-index-"+strconv.Itoa(g.PID)+".lock")
		if _, err := os.Lstat(path); err == nil {
			left = append(left, path)
		}
	}
	return left
}

// TokenPrefix begins the token in the lock file of a transaction. git's own lock files are empty or contain an index.
const TokenPrefix = "git-ralph "

// LockToken returns the token in the lock file of a transaction, "" for a lock file of git.
func LockToken(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(f, 256).ReadSlice('\n')
	if err != nil || !bytes.HasPrefix(line, []byte(TokenPrefix)) {
		return ""
	}
	return string(line[:len(line)-1])
}
