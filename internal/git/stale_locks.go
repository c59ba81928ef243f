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

// A git command that is killed leaves its lock files behind, and each one after it fails. Which process made a lock file git
// does not say: it is removed where a command is known to be gone that ran when the file was made, no other git works here,
// and the file stays as it is.

// An EndedProcess may have left lock files behind, or its children may. It and all of them have ended.
type EndedProcess struct {
	PID   int // 0 where it is not known
	Began time.Time
}

const (
	// goneTime is how long a lock file must stay as it is: git replaces or removes its own within milliseconds.
	goneTime = 500 * time.Millisecond
	// recordTime is how much later than the start of a process its record may be.
	recordTime = 10 * time.Second
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
	locks = append(locks, staleLocks(r, began.Add(-recordTime))...)
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
	time.Sleep(goneTime)
	if proc.RunsIn("git", r.root, r.gitDir) {
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

// leftIndexes lists the indexes from which processes that are gone made a commit. Their names say whose they were.
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

// TokenPrefix begins the token in a lock file of a transaction, which git leaves empty or fills with an index.
const TokenPrefix = "git-ralph "

// LockToken returns the token in a lock file of a transaction, "" for one of git.
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
