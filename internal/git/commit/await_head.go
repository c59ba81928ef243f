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

// awaitHead waits for a checkout or pull that has released index.lock and not moved HEAD yet: the index is then newer than all
// files that determine HEAD, by less than headMoveTime. It returns as soon as HEAD moves.
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

// renameTime is how long a branch without commits is assumed to be in the middle of a rename, if HEAD once had a commit.
const renameTime = 500 * time.Millisecond

// hadHead reports whether HEAD ever had a commit, by its reflog, which git keeps by default.
func hadHead(r *git.Repo) bool {
	info, err := os.Stat(filepath.Join(r.GitDir(), "logs", "HEAD"))
	return err == nil && info.Size() > 0
}

// headTime returns when the files that determine HEAD changed last.
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

// lastWritten returns the latest modification time of the files.
func lastWritten(paths ...string) (last time.Time) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// LastTouched returns when HEAD, its branch or the index changed last, and whether HEAD or a branch is locked, and so about to
// change.
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
