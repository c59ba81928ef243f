package commit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/proc"
	"git-ralph/internal/safefile"
)

// ErrInTheWay: a worktree has changes that an update of its files would overwrite.
var ErrInTheWay = errors.New("changes that are not committed are in the way")

// A FastForward moves a worktree and its index from one commit to another, as `git merge --ff-only` does. The caller moves the
// branch between Apply and Finish. Until then the index is locked, so no other git command comes in between.
type FastForward struct {
	ctx      context.Context
	repo     *git.Repo // of the worktree
	from, to string
	held     *safefile.Held
	lock     *indexLock
	applied  bool
	noted    bool // where it goes is written down
}

// BeginFastForward locks a worktree, and waits for others that have it locked. path is that of the plan. What a killed one left
// is repaired first.
func BeginFastForward(ctx context.Context, worktree *git.Repo, path, from, to string, wait time.Duration) (*FastForward, error) {
	f, err := lockWorktree(ctx, worktree, path, wait)
	if err != nil {
		return nil, err
	}
	if LeftFastForward(worktree) {
		if _, err = f.recover(); err != nil {
			f.Close() //nolint:errcheck // the other error says more
			return nil, err
		}
	}
	f.from, f.to = from, to
	return f, nil
}

// lockWorktree locks a worktree against other processes of ours, and its index against all.
func lockWorktree(ctx context.Context, worktree *git.Repo, path string, wait time.Duration) (*FastForward, error) {
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	own := filepath.Join(worktree.GitDir(), "ralph", "lock")
	if err := os.MkdirAll(filepath.Dir(own), 0o777); err != nil {
		return nil, err
	}
	held, err := safefile.Lock(limited, own, "git ralph land")
	if err != nil {
		return nil, err
	}
	f := &FastForward{ctx: context.WithoutCancel(ctx), repo: worktree, held: held}
	if f.lock, err = lockIndex(limited, worktree, path); err == nil {
		err = CopyIndex(f.lock.index, f.lock.copy)
	}
	if err != nil {
		f.Close() //nolint:errcheck // the other error says more
		return nil, err
	}
	return f, nil
}

// Apply writes the files that differ. Where one of them has changes of the user's it writes none; the error is ErrInTheWay.
func (f *FastForward) Apply() error {
	f.git("update-index", "-q", "--refresh") //nolint:errcheck // it fails for files that are changed; read-tree judges these
	if err := os.WriteFile(notePath(f.repo), []byte(f.from+" "+f.to+"\n"), 0o666); err != nil {
		return err
	}
	f.noted = true
	if err := f.git("read-tree", "-m", "-u", f.from, f.to); err != nil {
		var failed *proc.Error
		if errors.As(err, &failed) && failed.Code > 0 {
			return fmt.Errorf("%w in %s: %s", ErrInTheWay, f.repo.Root(), strings.ReplaceAll(failed.Stderr, "error: ", ""))
		}
		return err
	}
	f.applied = true
	return nil
}

// Finish makes the index that of the new commit, once the branch has moved.
func (f *FastForward) Finish() error {
	err := f.lock.swapIndex()
	f.applied, f.noted = false, f.noted && err == nil
	return errors.Join(err, f.Close())
}

// Close undoes what was not finished, and gives up the locks.
func (f *FastForward) Close() error {
	var err error
	if f.applied {
		err = f.git("read-tree", "-m", "-u", f.to, f.from)
		f.applied = false
	}
	if f.noted && err == nil {
		err = os.Remove(notePath(f.repo))
	}
	if f.lock != nil {
		f.lock.release()
	}
	return errors.Join(err, f.held.Release())
}

// git runs a command on our copy of the index.
func (f *FastForward) git(args ...string) error {
	_, err := f.repo.Git().Exec(f.ctx, f.command(args...))
	return err
}

func (f *FastForward) command(args ...string) proc.Cmd {
	c := f.repo.Git().Cmd(args...)
	c.Dir = f.repo.Root()
	c.Env = append(slices.Clip(f.repo.Git().UserEnv()), "GIT_INDEX_FILE="+f.lock.copy)
	return c
}
