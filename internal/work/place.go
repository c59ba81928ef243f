package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
	"git-ralph/internal/worktree"
)

// OpenStore opens the plan of a worktree.
type OpenStore func(ctx context.Context, dir string) (*store.Store, error)

// A place is the worktree of a worker whose lock is held.
type place struct {
	dir  Directory
	name string
	st   *store.Store
	made bool // it is new
}

// ErrForeign: the directory of a worker is something else.
var ErrForeign = errors.New("this directory is no worktree of this repository")

// openPlace opens the worktree of a worker whose lock is held, and makes it at a commit where there is none.
func (d Directory) openPlace(ctx context.Context, name, commit string, open OpenStore) (*place, error) {
	p := &place{dir: d, name: name}
	path, making := filepath.Join(d.path, name), filepath.Join(d.notes, name+".making")
	if _, err := os.Lstat(making); err == nil { // it was never used
		if err := d.removeHalf(ctx, path, making); err != nil {
			return nil, err
		}
	}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		if err := d.make(ctx, path, making, commit); err != nil {
			return nil, err
		}
		p.made = true
	}
	var err error
	p.st, err = d.storeAt(ctx, path, open)
	return p, err
}

// storeAt opens a worktree. The error is ErrForeign where the directory is something else.
func (d Directory) storeAt(ctx context.Context, path string, open OpenStore) (*store.Store, error) {
	if _, err := os.Lstat(filepath.Join(path, ".git")); err != nil || isLink(path) {
		return nil, fmt.Errorf("%s: %w", path, ErrForeign)
	}
	st, err := open(ctx, path)
	if err == nil && (st.Repo().CommonDir() != d.repo.CommonDir() || st.Repo().GitDir() == d.repo.CommonDir()) {
		err = fmt.Errorf("%s: %w", path, ErrForeign)
	}
	return st, err
}

// make makes a worktree. That it is not ready is noted before. Git may still know one whose directory was deleted, hence --force.
func (d Directory) make(ctx context.Context, path, making, commit string) error {
	if err := os.WriteFile(making, nil, 0o666); err != nil {
		return err
	}
	if err := d.exclude(ctx); err != nil {
		return err
	}
	if err := runUser(ctx, d.repo, d.repo.Git().Dir, "worktree", "add", "--quiet", "--force", "--detach", path, commit); err != nil {
		return err
	}
	return os.Remove(making)
}

// removeHalf removes what a killed process left of a worktree that it was making.
func (d Directory) removeHalf(ctx context.Context, path, making string) error {
	runUser(ctx, d.repo, d.repo.Git().Dir, "worktree", "remove", "--force", "--force", path) //nolint:errcheck // there may be none yet
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if err := runUser(ctx, d.repo, d.repo.Git().Dir, "worktree", "prune"); err != nil {
		return err
	}
	return os.Remove(making)
}

// runUser runs git in a directory as the user would. git fails where it reads a worktree that another process is just making: then it
// runs again.
func runUser(ctx context.Context, repo *git.Repo, dir string, args ...string) error {
	cmd := repo.Git().Cmd(args...)
	cmd.Dir, cmd.Env = dir, worktree.Environ(repo.Git().UserEnv())
	for tries := 0; ; tries++ {
		_, err := repo.Git().Exec(ctx, cmd)
		failed, _ := errors.AsType[*proc.Error](err)
		if failed == nil || tries == halfMade || !strings.Contains(failed.Stderr, "/commondir") {
			return err
		}
		time.Sleep(halfMadeTime)
	}
}

// How often, and after which time, git runs again beside worktrees that are being made.
const (
	halfMade     = 40
	halfMadeTime = 50 * time.Millisecond
)

// git runs git in the worktree as the user would.
func (p *place) git(ctx context.Context, args ...string) error {
	return runUser(ctx, p.st.Repo(), p.st.Repo().Root(), args...)
}

// recoverGrace is how long what a killed worker left behind may take to end.
const recoverGrace = 2 * time.Second

// recover ends what a killed worker left running in its worktree, finishes what it was recording, and commits what its agent left,
// to the branch of its task.
// It leaves HEAD on no branch. tip is that of the target. The lock of the worker must be held.
func (p *place) recover(ctx context.Context, now time.Time, s loop.Settings, tip string, report func(string)) error {
	ended, removed := loop.CleanUpKilledRun(p.st.Repo(), now, recoverGrace)
	for range ended {
		report("ended a process that a killed worker had left behind")
	}
	for _, path := range removed {
		report("removed the lock file of a git command that was killed: " + path)
	}
	if err := p.st.RemoveLeftLock(ctx); err != nil {
		return err
	}
	if err := p.repair(ctx, tip, report); err != nil {
		return fmt.Errorf("cannot repair %s: %w", p.st.Repo().Root(), err)
	}
	warnings, err := loop.RecoverPreviousRun(ctx, p.st, journal.Of(p.st.Repo().GitDir()), s)
	for _, text := range warnings {
		report(text)
	}
	if err != nil {
		return err
	}
	if err := p.rejoin(ctx, report); err != nil {
		return err
	}
	return p.leave(ctx, report)
}

// leave commits what is uncommitted, and leaves the branch.
func (p *place) leave(ctx context.Context, report func(string)) error {
	k, err := p.keep(ctx)
	if err != nil {
		return fmt.Errorf("cannot commit what is uncommitted in %s: %w", p.st.Repo().Root(), err)
	}
	if k.Branch != "" {
		report(fmt.Sprintf("committed what was uncommitted in the worktree of %s to %s", p.name, strings.TrimPrefix(k.Branch, "refs/heads/")))
	}
	ref, err := p.st.Repo().HeadRef(ctx)
	switch {
	case err != nil:
		return err
	case ref == "":
		return p.keepCommits(ctx, report)
	}
	return p.git(ctx, "checkout", "--quiet", "--detach")
}
