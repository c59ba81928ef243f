package land

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/worktree"
)

// ErrBusy: a worktree is in the middle of something that concerns the target.
var ErrBusy = errors.New("the target cannot move")

// checkedOut locks the worktrees in which the target is checked out. The error is ErrBusy where a worktree is in the middle of a
// merge or the like on it, or rebases or bisects it.
func (l *lander) checkedOut(ctx context.Context, move claim.Move) ([]*commit.FastForward, error) {
	trees, err := worktree.List(ctx, l.repo)
	if err != nil {
		return nil, err
	}
	var locked []*commit.FastForward
	for _, tree := range trees {
		if tree.Bare {
			continue
		}
		place, err := git.Open(ctx, tree.Dir, worktree.Environ(l.repo.Git().Environ))
		if err != nil {
			if tree.Branch == move.Ref && !tree.IsGone() {
				return locked, fmt.Errorf("%w: it is checked out in %s, which cannot be opened: %w", ErrBusy, tree.Dir, err)
			}
			continue
		}
		if err := l.notMoving(place, move.Ref); err != nil {
			return locked, err
		}
		if tree.Branch != move.Ref || place.Bare() {
			continue
		}
		if what := place.Operations().Current(); what != "" {
			return locked, fmt.Errorf("%w: %s is in the middle of a %s", ErrBusy, tree.Dir, what)
		}
		f, err := commit.BeginFastForward(ctx, place, l.st.PlanPath(), move.Old, move.New, l.o.Wait)
		if err != nil {
			return locked, err
		}
		locked = append(locked, f)
	}
	return locked, nil
}

// notMoving refuses a branch that a worktree rebases or bisects: git would move it, or come back to it, at the end.
func (l *lander) notMoving(place *git.Repo, ref string) error {
	short := strings.TrimPrefix(ref, "refs/heads/")
	for file, what := range map[string]string{"rebase-merge/head-name": "rebase", "rebase-apply/head-name": "rebase", "BISECT_START": "bisect"} {
		text, err := os.ReadFile(filepath.Join(place.GitDir(), filepath.FromSlash(file)))
		if name := strings.TrimSpace(string(text)); err == nil && (name == ref || name == short) {
			return fmt.Errorf("%w: a %s of it is in progress in %s", ErrBusy, what, place.Root())
		}
	}
	text, err := os.ReadFile(filepath.Join(place.GitDir(), "rebase-merge", "update-refs")) // with --update-refs
	if err == nil && slices.Contains(strings.Split(string(text), "\n"), ref) {
		return fmt.Errorf("%w: a rebase in %s moves it too", ErrBusy, place.Root())
	}
	return nil
}

// closeAll gives up what was not finished.
func closeAll(all []*commit.FastForward) {
	for _, f := range all {
		f.Close() //nolint:errcheck // after Finish it does nothing
	}
}
