package changes

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"git-ralph/internal/git"
)

// AgentFiles lists what agents left uncommitted of their work: tracked files that they changed, and those that they name: new
// ones, what an agent before left when it was stopped, and those that were taken out of the index alone. Any other new
// file, and what the user had changed before the run, stays uncommitted. What is named is the agents' from now on.
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
		nested := strings.HasSuffix(change.Path, "/") // a repository of its own
		if !nested && !listed[change.Path] && !c.tracked.contains(change.Path) {
			add(change.Path)
			delete(c.users, change.Path)
		}
	}
	return files, err
}

// outOfIndex reports whether a file is on disk and not in the index any more. That is `git rm --cached`, or a file that a
// hook made and added to the commit before: git leaves it out of the worktree's index then. Only an agent that names it
// means it.
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
