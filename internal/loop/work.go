package loop

import (
	"context"
	"path"
	"path/filepath"
	"slices"
)

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
		if !c.Untracked && c.Path != it.Store.PlanPath() && !it.mine.holds(c.Path) {
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
