package changes

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"git-ralph/internal/git"
)

// AgentFiles lists the files of an agent's work that are uncommitted: tracked files that agents changed, and those of the
// named files that are new, that an earlier agent left when it was stopped, or that were removed from the index alone. Any
// other new file, and what the user had changed before the run, stays uncommitted. The named files count as the agents' from
// now on.
func (c *Changes) AgentFiles(ctx context.Context, named []string) ([]string, error) {
	changes, err := c.tree.Repo.Changes(ctx)
	if err != nil {
		return nil, err
	}
	var files []string
	listed := map[string]bool{c.tree.Plan: true}
	add := func(path string) {
		files = append(files, path)
		listed[path] = true
	}
	for _, change := range changes {
		if !change.Untracked && !listed[change.Path] && !c.users.contains(change.Path) && !c.outOfIndex(change) {
			add(change.Path)
		}
	}
	named = InsideWorktree(named)
	if len(named) == 0 {
		return files, nil
	}
	changes, err = c.tree.Repo.Changes(ctx, named...)
	for _, change := range changes {
		nested := strings.HasSuffix(change.Path, "/") // a repository within the worktree
		if !nested && !listed[change.Path] && !c.tracked.contains(change.Path) {
			add(change.Path)
			delete(c.users, change.Path)
		}
	}
	return files, err
}

// outOfIndex reports whether a file is on disk and no longer in the index. The cause is `git rm --cached`, or a hook that
// made the file and added it to the commit before, which git does not add to the worktree's index. So such a file is
// committed only if the agent names it.
func (c *Changes) outOfIndex(change git.Change) bool {
	if !change.Unindexed {
		return false
	}
	info, err := os.Lstat(filepath.Join(c.tree.Repo.Root(), filepath.FromSlash(change.Path)))
	return err == nil && !info.IsDir()
}

// InsideWorktree returns names in git's form, without those outside of the worktree.
func InsideWorktree(named []string) []string {
	var clean []string
	for _, name := range named {
		if name = path.Clean(filepath.ToSlash(name)); name != "." && filepath.IsLocal(filepath.FromSlash(name)) {
			clean = append(clean, name)
		}
	}
	return clean
}
