package loop

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/schedule"
)

// maxNamed is how many files a warning names.
const maxNamed = 8

// tellUnkept warns of files that the report names as part of the work and that are in no commit: they are ignored, not
// there, or not in the worktree.
func (it *iteration) tellUnkept(ctx context.Context, after state) {
	task, found := after.plan.Task(it.id())
	if it.stage() != schedule.Build || !it.outcome.Success() || found && !task.Done() {
		return
	}
	r, err := it.reported()
	if err != nil || r.empty() {
		return
	}
	named, err := r.texts("files")
	if err != nil {
		return
	}
	if unkept := it.unkept(ctx, after, named); len(unkept) > 0 {
		it.warn(it.n, `named in "files" and not committed: %s`, Listed(unkept))
	}
}

// Listed names files, but not all of very many.
func Listed(files []string) string {
	more := ""
	if n := len(files) - maxNamed; n > 0 {
		files, more = files[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(files, ", ") + more
}

// unkept lists those of the named files that are not in the commit after the iteration, and were not deleted in it.
func (it *iteration) unkept(ctx context.Context, after state, named []string) []string {
	repo := it.Store.Repo()
	var names []string
	for _, name := range named {
		if name = path.Clean(filepath.ToSlash(name)); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	inside := inWorktree(names)
	kept, err := repo.Holds(ctx, after.head, inside)
	if err != nil {
		return nil
	}
	var unkept, missing []string
	for _, name := range names {
		_, err := os.Lstat(filepath.Join(repo.Root(), filepath.FromSlash(name)))
		switch {
		case slices.Contains(kept, name) || name == ".":
		case err == nil || !slices.Contains(inside, name):
			unkept = append(unkept, name)
		default:
			missing = append(missing, name)
		}
	}
	deleted, _ := repo.Holds(ctx, it.before.head, missing) //nolint:errcheck // then none was
	for _, name := range missing {
		if !slices.Contains(deleted, name) {
			unkept = append(unkept, name+" (not there)")
		}
	}
	return unkept
}
