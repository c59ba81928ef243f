package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Errors of Synchronize.
var (
	// ErrNoUpstream: the branch has no upstream.
	ErrNoUpstream = errors.New("the branch has no upstream")
	// ErrPush: a rebase onto what others pushed has a conflict, or the remote rejects the push. Nothing changed locally.
	ErrPush = errors.New("cannot push")
	// ErrMergesAhead: a rebase would undo unpushed merges, and lose the resolutions of their conflicts.
	ErrMergesAhead = errors.New("others pushed, and there are merges here that a rebase would undo; `git pull --no-rebase` keeps them")
	// ErrHalfRebased: a rebase of ours was interrupted, and aborting it would discard uncommitted changes.
	ErrHalfRebased = errors.New("a rebase was interrupted, and there are uncommitted changes")
)

// pushTries is the number of attempts to push while others push first.
const pushTries = 3

// Upstream is the remote branch that the branch at HEAD is pushed to.
type Upstream struct{ repo *Repo }

// Upstream returns the upstream of the branch at HEAD, which need not exist.
func (r *Repo) Upstream() Upstream { return Upstream{r} }

// Exists returns ErrNoUpstream where the branch has none.
func (u Upstream) Exists(ctx context.Context) error {
	if _, err := u.repo.git.Run(ctx, nil, "rev-parse", "-q", "--verify", "@{upstream}"); err != nil {
		return ErrNoUpstream
	}
	return nil
}

// Synchronize fetches the branch's upstream, rebases the local commits onto it, and pushes. It uses the network, and never asks
// for a password on a terminal. The worktree must be clean for a rebase. A rebase with a conflict is aborted, and unpushed
// merges are not rebased. The errors are ErrNoUpstream and ErrPush.
func (u Upstream) Synchronize(ctx context.Context) error {
	err := u.Exists(ctx)
	if err != nil {
		return err
	}
	for range pushTries {
		if err = u.remote(ctx, "fetch", "-q"); err != nil {
			break
		}
		if err = u.ontoUpstream(ctx); err != nil {
			break
		}
		if err = u.remote(ctx, "push", "-q"); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: %w", ErrPush, err)
}

// ontoUpstream rebases the local commits onto what was fetched.
func (u Upstream) ontoUpstream(ctx context.Context) error {
	if _, behind := u.repo.git.Run(ctx, nil, "merge-base", "--is-ancestor", "@{upstream}", "HEAD"); behind == nil {
		return nil
	}
	merges, err := u.repo.git.Run(ctx, nil, "rev-list", "--merges", "-n", "1", "@{upstream}..HEAD")
	if err != nil {
		return err
	}
	if merges != "" {
		return ErrMergesAhead
	}
	if err := u.remote(ctx, "rebase", "-q", "@{upstream}"); err != nil {
		u.remote(context.WithoutCancel(ctx), "rebase", "--abort") //nolint:errcheck // it fails if none was begun
		return err
	}
	return nil
}

// Unpushed returns the messages of the commits in @{upstream}..HEAD.
func (u Upstream) Unpushed(ctx context.Context) (string, error) {
	return u.repo.git.Run(ctx, nil, "log", "--format=%B", "@{upstream}..HEAD")
}

func (u Upstream) remote(ctx context.Context, args ...string) error {
	_, err := u.repo.git.Exec(ctx, u.repo.git.RemoteCmd(args...))
	return err
}

// AbortRebase aborts a rebase that Synchronize began at head and that was interrupted with it; one that began elsewhere is not
// ours. It reports whether there was one. The error is ErrHalfRebased.
func (u Upstream) AbortRebase(ctx context.Context, head string) (was bool, err error) {
	began, err := os.ReadFile(filepath.Join(u.repo.gitDir, "rebase-merge", "orig-head"))
	if err != nil {
		began, err = os.ReadFile(filepath.Join(u.repo.gitDir, "rebase-apply", "orig-head"))
	}
	if err != nil || strings.TrimSpace(string(began)) != head {
		return false, nil
	}
	changes, err := u.repo.git.Run(ctx, nil, "--no-optional-locks", "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return false, err
	}
	if strings.TrimSpace(string(changes)) != "" {
		return false, ErrHalfRebased
	}
	return true, u.remote(ctx, "rebase", "--abort")
}
