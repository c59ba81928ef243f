package land

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
)

// ErrPush: the target has landed here, and its upstream does not take it.
var ErrPush = errors.New("landed here, and not pushed")

// fetch fetches references of the claims remote, and nothing else.
func (l *lander) fetch(ctx context.Context, specs ...string) error {
	args := []string{
		"fetch", "-q", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-gc", "--refmap=", "--", l.claims.Remote(),
	}
	_, err := l.repo.Git().Exec(ctx, l.repo.Git().RemoteCmd(append(args, specs...)...))
	return err
}

// follow moves the local branch of the target after the remote's has moved, where that is a fast-forward. Where it cannot, as
// when changes that are not committed are in the way, the user pulls later.
func (l *lander) follow(ctx context.Context, move claim.Move) error {
	here, err := l.repo.IDAt(ctx, l.o.Into)
	if err != nil || here == "" {
		return err
	}
	if behind, err := l.reader.IsAncestor(here, move.New); err != nil || !behind || here == move.New {
		return err
	}
	move.Old = here
	err = l.moveTarget(ctx, move, []git.ReferenceChange{{Name: l.o.Into, Old: here, New: move.New}}, "ralph: land")
	switch {
	case errors.Is(err, errRace): // others move it, too
		return nil
	case errors.Is(err, commit.ErrInTheWay), errors.Is(err, ErrBusy):
		l.warn("the local branch stays where it is: %v", err)
		return nil
	}
	return err
}

// wantsPush reports whether the target is to be pushed: also where nothing is left to land, since an earlier push may have been refused.
func (l *lander) wantsPush() bool {
	arrived := func(b Branch) bool { return b.Outcome == Landed || b.Outcome == Contained }
	return l.o.Push && !l.o.DryRun && l.claims.Remote() == "" && (len(l.result.Branches) == 0 || slices.ContainsFunc(l.result.Branches, arrived))
}

// pushTarget pushes the target to its upstream, with the user's pre-push hook.
func (l *lander) pushTarget(ctx context.Context) error {
	settings, err := l.repo.Config(ctx)
	if err != nil {
		return err
	}
	short := strings.TrimPrefix(l.o.Into, "refs/heads/")
	remote, _ := settings.Get("branch." + short + ".remote")
	upstream, _ := settings.Get("branch." + short + ".merge")
	if remote == "" || upstream == "" {
		return fmt.Errorf("%w: %s has no upstream", ErrPush, short)
	}
	c := l.repo.Git().RemoteCmd("push", "--porcelain", "--recurse-submodules=check", "--", remote, l.tip+":"+upstream)
	result, err := l.repo.Git().Exec(ctx, c)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPush, err)
	}
	l.result.Pushed = !strings.Contains(string(result.Stdout), "\n=\t") // which says that the upstream has it already
	return nil
}
