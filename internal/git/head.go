package git

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-ralph/internal/proc"
)

// headRef gives the full name of the branch that HEAD points to, "" for a detached HEAD.
func (r *Repo) headRef(ctx context.Context) (string, error) {
	path := filepath.Join(r.gitDir, "HEAD")
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && !r.reftable {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		text := strings.TrimRight(string(data), " \t\r\n")
		if ref, ok := strings.CutPrefix(text, "ref:"); ok {
			return strings.TrimLeft(ref, " \t"), nil
		}
		if len(text) == r.hexSize() {
			return "", nil
		}
	}
	ref, err := r.run(ctx, nil, "symbolic-ref", "-q", "HEAD")
	if proc.ExitCode(err) == 1 {
		return "", nil
	}
	return ref, err
}

const settleTime = 50 * time.Millisecond

// settle waits for a checkout or pull that has given index.lock back and not moved HEAD yet: the index is then newer
// than everything that tells where HEAD stands, by less than settleTime. It returns as soon as HEAD moves.
func (r *Repo) settle(ctx context.Context, index string) error {
	written, ok := stampOf(index)
	if !ok || r.ownStamp() == written.String() {
		return nil
	}
	start := r.headTime()
	for written.time.After(start) && r.headTime().Equal(start) {
		age := time.Since(written.time)
		if age < 0 || age > settleTime {
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

// hadHead tells whether HEAD ever stood at a commit: its log, which git keeps unless told otherwise, says so.
func (r *Repo) hadHead() bool {
	info, err := os.Stat(filepath.Join(r.gitDir, "logs", "HEAD"))
	return err == nil && info.Size() > 0
}

// headTime gives the last time at which anything changed that says where HEAD is.
func (r *Repo) headTime() time.Time {
	paths := []string{
		filepath.Join(r.gitDir, "HEAD"), filepath.Join(r.gitDir, "logs", "HEAD"), filepath.Join(r.commonDir, "packed-refs"),
	}
	if r.reftable {
		paths = append(paths, filepath.Join(r.commonDir, "reftable", "tables.list"), filepath.Join(r.gitDir, "reftable", "tables.list"))
	} else if data, err := os.ReadFile(paths[0]); err == nil {
		if ref, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: "); ok {
			paths = append(paths, filepath.Join(r.commonDir, filepath.FromSlash(ref)))
		}
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
func (r *Repo) LastTouched() (last time.Time, locked bool) {
	last = r.headTime()
	if written, ok := stampOf(r.IndexPath()); ok && written.time.After(last) {
		last = written.time
	}
	if r.has("HEAD.lock") {
		return last, true
	}
	filepath.WalkDir(filepath.Join(r.commonDir, "refs", "heads"), func(path string, _ fs.DirEntry, err error) error { //nolint:errcheck // what cannot be read is not locked
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

func (r *Repo) stampPath() string { return filepath.Join(r.gitDir, "ralph", "index-stamp") }

// ownStamp gives the stamp of the index that a transaction left without moving HEAD, "" for none.
func (r *Repo) ownStamp() string {
	data, err := os.ReadFile(r.stampPath())
	if err != nil {
		return ""
	}
	return string(data)
}

// rememberStamp spares the next transaction the wait for a HEAD that will not move. It is no loss where it fails.
func (r *Repo) rememberStamp(index string) {
	s, ok := stampOf(index)
	if !ok || os.MkdirAll(filepath.Dir(r.stampPath()), 0o777) != nil {
		return
	}
	os.WriteFile(r.stampPath(), []byte(s.String()), 0o666) //nolint:errcheck // see above
}
