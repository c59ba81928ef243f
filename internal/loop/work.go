package loop

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"git-ralph/internal/git"
)

// work lists what an agent left uncommitted of its work: tracked files that it changed, and those that it names: new ones,
// what an agent before it left when it was stopped, and those that were taken out of the index alone. Whatever else is new, or
// had changes of the user's before the run, stays where it is.
func (it *iteration) work(ctx context.Context, named []string) ([]string, error) {
	repo := it.Store.Repo()
	changes, err := repo.Changes(ctx)
	if err != nil {
		return nil, err
	}
	var files []string
	listed := map[string]bool{}
	for _, c := range changes {
		if !c.Untracked && c.Path != it.Store.PlanPath() && !it.mine.holds(c.Path) && !it.outOfIndex(c) {
			files = append(files, c.Path)
			listed[c.Path] = true
		}
	}
	named = inWorktree(named)
	if len(named) == 0 {
		return files, nil
	}
	fresh, err := repo.Changes(ctx, named...)
	for _, c := range fresh {
		nested := strings.HasSuffix(c.Path, "/") // a repository of its own
		if c.Path != it.Store.PlanPath() && !nested && !it.kept.holds(c.Path) && !listed[c.Path] {
			files = append(files, c.Path)
			listed[c.Path] = true
			delete(it.mine, c.Path) // from now on it is the agents' to change
		}
	}
	return files, err
}

// outOfIndex reports whether a file is on disk and not in the index any more. That is `git rm --cached`, or a file that a hook
// made and added to the commit before: git leaves it out of the worktree's index then. Only who names it means it.
func (it *iteration) outOfIndex(c git.Change) bool {
	if !c.Unindexed {
		return false
	}
	info, err := os.Lstat(filepath.Join(it.Store.Repo().Root(), filepath.FromSlash(c.Path)))
	return err == nil && !info.IsDir()
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
