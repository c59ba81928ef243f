package git

import (
	"context"
	"errors"
	"fmt"

	"git-ralph/internal/proc"
)

// Errors of Synchronize.
var (
	// ErrNoUpstream: the branch does not say where it is pushed to.
	ErrNoUpstream = errors.New("the branch has no upstream")
	// ErrPush: what others pushed cannot be brought together with what is here, or the other side refuses. Nothing changed
	// here.
	ErrPush = errors.New("cannot push")
)

// pushTries is how often a push is tried that others came before.
const pushTries = 3

// Synchronize fetches the branch's upstream, puts what is here on top of it, and pushes. It and FetchPromised alone use a
// network, and never ask for a password on a terminal. The worktree must be clean for a rebase; one that meets a conflict
// is taken back. The errors are ErrNoUpstream and ErrPush.
func (r *Repo) Synchronize(ctx context.Context) error {
	if _, err := r.run(ctx, nil, "rev-parse", "-q", "--verify", "@{upstream}"); err != nil {
		return ErrNoUpstream
	}
	var err error
	for range pushTries {
		if err = r.remote(ctx, "fetch", "-q"); err != nil {
			break
		}
		if _, behind := r.run(ctx, nil, "merge-base", "--is-ancestor", "@{upstream}", "HEAD"); behind != nil {
			if err = r.remote(ctx, "rebase", "-q", "@{upstream}"); err != nil {
				r.remote(context.WithoutCancel(ctx), "rebase", "--abort") //nolint:errcheck // it fails where none was begun
				break
			}
		}
		if err = r.remote(ctx, "push", "-q"); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: %w", ErrPush, err)
}

func (r *Repo) remote(ctx context.Context, args ...string) error {
	_, err := proc.Run(ctx, r.remoteCmd(args...))
	return err
}

// remoteCmd describes a command as the user would run it, with the network and without questions.
func (r *Repo) remoteCmd(args ...string) proc.Cmd {
	c := r.cmd(args...)
	c.Env = append(r.plainEnviron(), "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true")
	return c
}
