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
	out, err := l.repo.Git().Run(ctx, nil, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	var locked []*commit.FastForward
	for text := range strings.SplitSeq(out, "\n\n") {
		tree := worktreeIn(text)
		if tree.dir == "" || tree.bare {
			continue
		}
		place, err := git.Open(ctx, tree.dir, worktree.Environ(l.repo.Git().Environ))
		if err != nil {
			if tree.branch == move.Ref && !tree.isGone() {
				return locked, fmt.Errorf("%w: it is checked out in %s, which cannot be opened: %w", ErrBusy, tree.dir, err)
			}
			continue
		}
		if err := l.notMoving(place, move.Ref); err != nil {
			return locked, err
		}
		if tree.branch != move.Ref || place.Bare() {
			continue
		}
		if what := place.Operations().Current(); what != "" {
			return locked, fmt.Errorf("%w: %s is in the middle of a %s", ErrBusy, tree.dir, what)
		}
		f, err := commit.BeginFastForward(ctx, place, l.st.PlanPath(), move.Old, move.New, l.o.Wait)
		if err != nil {
			return locked, err
		}
		locked = append(locked, f)
	}
	return locked, nil
}

// listed is a worktree as `git worktree list --porcelain` describes it.
type listed struct {
	dir, branch  string
	bare, locked bool
}

func worktreeIn(text string) (t listed) {
	for line := range strings.Lines(text) {
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); name {
		case "worktree":
			t.dir = value
		case "branch":
			t.branch = value
		case "bare":
			t.bare = true
		case "locked":
			t.locked = true
		}
	}
	return t
}

// isGone reports whether the directory was deleted. One that is locked may be on a disk that is not there now.
func (t listed) isGone() bool {
	_, err := os.Lstat(t.dir)
	return errors.Is(err, os.ErrNotExist) && !t.locked
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
