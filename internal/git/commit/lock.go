package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/proc"
	"git-ralph/internal/safefile"
)

// LockedError: another git process keeps the index locked.
type LockedError struct {
	Path string // index.lock
	Err  error  // why waiting ended
}

// Error names the file: git records nothing else about the holder.
func (e *LockedError) Error() string {
	return fmt.Sprintf("the index is locked by another git process (%s)", e.Path)
}

// Unwrap returns the context's error.
func (e *LockedError) Unwrap() error { return e.Err }

// Hint returns what the user can do.
func (e *LockedError) Hint() string {
	return "wait for that process to end; if none is running, a crash left the file behind and it may be removed: `" + removal(e.Path) + "`"
}

// removal is the command that removes a file.
func removal(path string) string { return "rm -f '" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

const (
	copySuffix = ".ralph-" // after the name of the index
	oldSuffix  = ".old"    // after that of the copy: the index before it
	deadAfter  = 200 * time.Millisecond
)

// indexLock is index.lock while we hold it. The file contains only our token, one line; the index is replaced by a finished
// copy. So we follow git's lock protocol although git itself writes the copy.
type indexLock struct {
	path  string // index.lock
	index string
	copy  string // where the new index is prepared
	token string
	held  bool
	guard *proc.Guard
}

// lockIndex takes index.lock, waiting until ctx ends. The caller holds the worktree's ralph lock. So a lock file that has a token
// of ours and does not change belongs to a process that was killed together with its guard, and is removed. Temporary files of
// such a process beside the file at path are removed too.
func lockIndex(ctx context.Context, r *git.Repo, path string) (*indexLock, error) {
	id := strconv.FormatUint(rand.Uint64(), 36)
	index := r.IndexPath()
	l := &indexLock{
		path: index + ".lock", index: index, copy: index + copySuffix + id,
		token: git.TokenPrefix + strconv.Itoa(os.Getpid()) + " " + id,
	}
	l.startGuard(r, path)
	r.Step(StepGuard)
	if err := l.acquire(ctx); err != nil {
		l.release()
		return nil, err
	}
	removeStaleCopies(index)
	safefile.RemoveTemps(r.Root(), path)
	r.Step(StepLocked)
	return l, nil
}

func (l *indexLock) acquire(ctx context.Context) error {
	if err := l.writeToken(l.tokenFile()); err != nil {
		return fmt.Errorf("lock the index: %w", err)
	}
	defer os.Remove(l.tokenFile()) //nolint:errcheck // a leftover file is harmless
	var dead deadLock
	for {
		err := l.create()
		if err == nil {
			l.held = true
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("lock the index: %w", err)
		}
		if dead.isDead(git.LockToken(l.path)) {
			os.Remove(l.path) //nolint:errcheck // creating it again will show it
			continue
		}
		select {
		case <-ctx.Done():
			return &LockedError{Path: l.path, Err: context.Cause(ctx)}
		case <-time.After(time.Millisecond + rand.N(4*time.Millisecond)):
		}
	}
}

// AwaitIndex waits until ctx ends for another git process that keeps the index locked. A lock file of our own transactions does
// not count: the next transaction removes it. The error is a *LockedError.
func AwaitIndex(ctx context.Context, r *git.Repo) error {
	path := r.IndexPath() + ".lock"
	for {
		if _, err := os.Lstat(path); err != nil || git.LockToken(path) != "" {
			return nil
		}
		select {
		case <-ctx.Done():
			return &LockedError{Path: path, Err: context.Cause(ctx)}
		case <-time.After(time.Millisecond + rand.N(4*time.Millisecond)):
		}
	}
}

// RemoveLeftLock removes index.lock where a transaction left it that was killed together with its guard: until then git's own commands
// fail. The caller holds the worktree's ralph lock. path is that of the transaction's file.
func RemoveLeftLock(ctx context.Context, r *git.Repo, path string, wait time.Duration) error {
	if !HasLeftLock(r) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	l, err := lockIndex(ctx, r, path)
	if err == nil {
		l.release()
	}
	return err
}

// HasLeftLock reports whether index.lock is that of a transaction. It is a left one unless the transaction is under way.
func HasLeftLock(r *git.Repo) bool { return git.LockToken(r.IndexPath()+".lock") != "" }

// tokenFile returns the path at which the lock file is written before it is linked to its name.
func (l *indexLock) tokenFile() string { return l.copy + ".token" }

// create makes the lock file appear with our token in it: the owner of one without a token, left by a kill in between, would be
// unknown. Only on file systems without hard links is it empty for a moment.
func (l *indexLock) create() error {
	err := os.Link(l.tokenFile(), l.path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return l.writeToken(l.path)
}

func (l *indexLock) writeToken(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(l.token + "\n")
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(path) //nolint:errcheck // the first error is the one to report
	}
	return err
}

// release removes our temporary files, then the lock. It may be called twice.
func (l *indexLock) release() {
	if l.held {
		l.held = false
		os.Remove(l.copy)             //nolint:errcheck // usually it has become the index
		os.Remove(l.copy + ".lock")   //nolint:errcheck // of a git that was ended
		os.Remove(l.copy + oldSuffix) //nolint:errcheck // only where the index was replaced
		os.Remove(l.path)             //nolint:errcheck // nobody else removes it
	}
	l.guard.Release()
}

// swapIndex makes the copy the index. The old one is kept until the lock is released.
func (l *indexLock) swapIndex() error {
	if err := CopyIndex(l.index, l.copy+oldSuffix); err != nil {
		return fmt.Errorf("keep the index: %w", err)
	}
	if err := os.Rename(l.copy, l.index); err != nil {
		return fmt.Errorf("replace the index: %w", err)
	}
	return nil
}

// restoreIndex undoes swapIndex.
func (l *indexLock) restoreIndex() error {
	err := os.Rename(l.copy+oldSuffix, l.index)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Remove(l.index)
	}
	return err
}

// deadLock remembers a token of ours that was found in a lock file, and since when.
type deadLock struct {
	token string
	since time.Time
}

// isDead reports whether the token has been there for so long that its guard, if it still ran, would have removed it.
func (d *deadLock) isDead(token string) bool {
	if token == "" || token != d.token {
		d.token, d.since = token, time.Now()
		return false
	}
	return time.Since(d.since) > deadAfter
}

// guardScript waits for the end of its input. Without a line before it we were killed: our files are removed, but only if the
// lock is still ours. $1 lock file, $2 our token, $3 our copy of the index, $4 prefix of the temporary files beside the file in
// the worktree. A git that is writing the copy may survive us for a moment, so the copy is removed once more.
const guardScript = `trap '' HUP INT TERM; read -r word && exit 0; rm -f "$3.token"; ` +
	`read -r line <"$1" && [ "$line" = "$2" ] && rm -f "$3" "$3.lock" "$3.old" "$4"*` + safefile.TempSuffix + ` "$1"; ` +
	`sleep 1; rm -f "$3" "$3.lock"`

// startGuard makes sure that even SIGKILL leaves no index.lock behind. Without sh, our next transaction removes it instead.
func (l *indexLock) startGuard(r *git.Repo, path string) {
	temp := filepath.Join(r.Root(), filepath.FromSlash(safefile.TempPrefix(path)))
	guard, err := proc.StartGuard(proc.Cmd{
		Name: "sh", Args: []string{"-c", guardScript, "git-ralph-guard", l.path, l.token, l.copy, temp}, Env: r.Git().Environ,
	})
	if err == nil {
		l.guard = guard
	}
}
