package commit

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-ralph/internal/git"
)

// headMoveTime is how much later than the index git may move HEAD.
const headMoveTime = 50 * time.Millisecond

// awaitHead waits for a checkout or pull that has given index.lock back and not moved HEAD yet: the index is then newer
// than everything that says where HEAD stands, by less than headMoveTime. It returns as soon as HEAD moves.
func awaitHead(ctx context.Context, r *git.Repo, index string) error {
	written, start := lastWritten(index), headTime(r)
	for written.After(start) && headTime(r).Equal(start) {
		age := time.Since(written)
		if age < 0 || age > headMoveTime {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(2 * time.Millisecond):
		}
	}
	return nil
}

// renameTime is how long a branch without a commit is taken for one that is being renamed, where HEAD once had a commit.
const renameTime = 500 * time.Millisecond

// hadHead reports whether HEAD ever stood at a commit: its log, which git keeps unless set otherwise, says so.
func hadHead(r *git.Repo) bool {
	info, err := os.Stat(filepath.Join(r.GitDir(), "logs", "HEAD"))
	return err == nil && info.Size() > 0
}

// headTime returns the last time at which anything changed that says where HEAD is.
func headTime(r *git.Repo) time.Time {
	paths := []string{
		filepath.Join(r.GitDir(), "HEAD"), filepath.Join(r.GitDir(), "logs", "HEAD"), filepath.Join(r.CommonDir(), "packed-refs"),
	}
	if r.HasReftable() {
		paths = append(paths, filepath.Join(r.CommonDir(), "reftable", "tables.list"), filepath.Join(r.GitDir(), "reftable", "tables.list"))
	} else if head, err := r.ReadReference("HEAD"); err == nil && head.Target != "" {
		paths = append(paths, r.ReferencePath(head.Target))
	}
	return lastWritten(paths...)
}

// lastWritten returns when the file that was written last of some was.
func lastWritten(paths ...string) (last time.Time) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// LastTouched returns when HEAD, its branch or the index changed last, and whether a lock says that HEAD or a branch is
// about to.
func LastTouched(r *git.Repo) (last time.Time, locked bool) {
	last = headTime(r)
	if written := lastWritten(r.IndexPath()); written.After(last) {
		last = written
	}
	if _, err := os.Lstat(filepath.Join(r.GitDir(), "HEAD.lock")); err == nil {
		return last, true
	}
	filepath.WalkDir(filepath.Join(r.CommonDir(), "refs", "heads"), func(path string, _ fs.DirEntry, err error) error { //nolint:errcheck // what cannot be read is not locked
		if err == nil && strings.HasSuffix(path, ".lock") {
			locked = true
			return fs.SkipAll
		}
		return err
	})
	return last, locked
}
