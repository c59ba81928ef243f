package git

import (
	"context"
	"fmt"
)

// SkippedFile gives a file that a sparse checkout keeps out of the worktree: the index speaks for it. Not ok where the
// index has no such file, or has one that should be on disk.
func (r *Repo) SkippedFile(ctx context.Context, path string) (data []byte, ok bool, err error) {
	found, err := r.lookupIndex(ctx, r.IndexPath(), path)
	if err != nil {
		return nil, false, fmt.Errorf("read the index: %w", err)
	}
	entries := found[path]
	if len(entries) != 1 || !entries[0].skipWorktree {
		return nil, false, nil
	}
	data, err = r.output(ctx, "cat-file", "--filters", "--path="+path, entries[0].id)
	return data, err == nil, err
}
