package iteration

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"

	"git-ralph/internal/changes"
	"git-ralph/internal/schedule"
)

// warnOfFiles warns of files that the report names as part of the work and that are not committed: they are ignored, do not
// exist, or are outside of the worktree.
func (f finishedJob) warnOfFiles(ctx context.Context, s settled) {
	task, found := s.after.Plan.Task(f.ID())
	if f.Stage() != schedule.Build || !f.ended.Success() || found && !task.Done() {
		return
	}
	if uncommitted := f.uncommitted(ctx, s.after, s.applied.files); len(uncommitted) > 0 {
		f.warn(`named in "files" and not committed: %s`, changes.Listed(uncommitted))
	}
}

// uncommitted lists those of the named files that are not in the commit after the iteration, and were not deleted in it.
func (f finishedJob) uncommitted(ctx context.Context, after State, named []string) []string {
	repo := f.Store.Repo()
	var names []string
	for _, name := range named {
		if name = path.Clean(filepath.ToSlash(name)); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	inside := changes.InsideWorktree(names)
	committed, err := repo.PathsIn(ctx, after.Head, inside)
	if err != nil {
		return nil
	}
	var uncommitted, missing []string
	for _, name := range names {
		_, err := os.Lstat(filepath.Join(repo.Root(), filepath.FromSlash(name)))
		switch {
		case slices.Contains(committed, name) || name == ".":
		case err == nil || !slices.Contains(inside, name):
			uncommitted = append(uncommitted, name)
		default:
			missing = append(missing, name)
		}
	}
	deleted, _ := repo.PathsIn(ctx, f.State.Head, missing) //nolint:errcheck // then none was
	for _, name := range missing {
		if !slices.Contains(deleted, name) {
			uncommitted = append(uncommitted, name+" (missing)")
		}
	}
	return uncommitted
}
