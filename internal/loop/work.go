package loop

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"git-ralph/internal/git"
)

// A signature tells whether a file changed since it was looked at.
type signature struct {
	size int64
	time time.Time
}

func signatureOf(root, name string) signature {
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return signature{size: -1}
	}
	return signature{info.Size(), info.ModTime()}
}

// ownChanges notes what the user has changed before the run. It is not the agent's, and not ours to commit.
func (l *Loop) ownChanges(ctx context.Context) map[string]signature {
	repo := l.Store.Repo()
	changes, err := repo.Changes(ctx)
	if err != nil {
		return nil
	}
	own := make(map[string]signature, len(changes))
	for _, c := range changes {
		own[c.Path] = signatureOf(repo.Root(), c.Path)
	}
	return own
}

// isOwn tells whether a change is the user's, from before the run.
func (l *Loop) isOwn(c git.Change) bool {
	was, found := l.mine[c.Path]
	return found && was == signatureOf(l.Store.Repo().Root(), c.Path)
}

// work lists what an agent left uncommitted of its work: tracked files that it changed, and those that it names: new ones,
// what an agent before it left when it was stopped, and files that the user had changed before the run. Whatever else is
// new, or holds changes of the user's, stays where it is.
func (it *iteration) work(ctx context.Context, named []string) ([]string, error) {
	repo := it.Store.Repo()
	changes, err := repo.Changes(ctx)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, c := range changes {
		_, users := it.mine[c.Path]
		if !c.Untracked && c.Path != it.Store.PlanPath() && !users {
			files = append(files, c.Path)
		}
	}
	named = inWorktree(named)
	if len(named) == 0 {
		return files, nil
	}
	fresh, err := repo.Changes(ctx, named...)
	for _, c := range fresh {
		if c.Path != it.Store.PlanPath() && !slices.Contains(files, c.Path) {
			files = append(files, c.Path)
			delete(it.mine, c.Path) // from now on it is the agents' to change
		}
	}
	return files, err
}

// inWorktree leaves out names that lead out of the worktree.
func inWorktree(named []string) []string {
	var clean []string
	for _, name := range named {
		if name = path.Clean(filepath.ToSlash(name)); name != "." && filepath.IsLocal(filepath.FromSlash(name)) {
			clean = append(clean, name)
		}
	}
	return clean
}

// leftOver lists what lies uncommitted in the worktree and is not the user's from before.
func (l *Loop) leftOver(ctx context.Context) []string {
	changes, err := l.Store.Repo().Changes(context.WithoutCancel(ctx))
	if err != nil {
		return nil
	}
	var left []string
	for _, c := range changes {
		if c.Path != l.Store.PlanPath() && !l.isOwn(c) {
			left = append(left, c.Path)
		}
	}
	return left
}
