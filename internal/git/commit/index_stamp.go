package commit

import (
	"context"
	"fmt"
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
	written, ok := stampOf(index)
	if !ok || ownStamp(r) == written.String() {
		return nil
	}
	start := headTime(r)
	for written.time.After(start) && headTime(r).Equal(start) {
		age := time.Since(written.time)
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
	var last time.Time
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
	if written, ok := stampOf(r.IndexPath()); ok && written.time.After(last) {
		last = written.time
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

// stamp identifies one writing of the index.
type stamp struct {
	time time.Time
	size int64
}

func stampOf(index string) (stamp, bool) {
	info, err := os.Stat(index)
	if err != nil {
		return stamp{}, false
	}
	return stamp{time: info.ModTime(), size: info.Size()}, true
}

func (s stamp) String() string { return fmt.Sprintf("%d %d", s.time.UnixNano(), s.size) }

func stampPath(r *git.Repo) string { return filepath.Join(r.GitDir(), "ralph", "index-stamp") }

// ownStamp returns the stamp of the index that a transaction left without moving HEAD, "" for none.
func ownStamp(r *git.Repo) string {
	data, err := os.ReadFile(stampPath(r))
	if err != nil {
		return ""
	}
	return string(data)
}

// rememberStamp spares the next transaction the wait for a HEAD that will not move. It is no loss where it fails.
func rememberStamp(r *git.Repo, index string) {
	s, ok := stampOf(index)
	if !ok || os.MkdirAll(filepath.Dir(stampPath(r)), 0o777) != nil {
		return
	}
	os.WriteFile(stampPath(r), []byte(s.String()), 0o666) //nolint:errcheck // see above
}
