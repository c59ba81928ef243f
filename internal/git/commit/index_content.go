package commit

import (
	"context"
	"fmt"

	"git-ralph/internal/git"
)

// StagedFile returns the file at path from the index, in the form that it has in the worktree; not ok if the index has no such
// file, or has it in conflict. In a hook it reads the index of the commit that is being made.
func StagedFile(ctx context.Context, r *git.Repo, path string) (data []byte, ok bool, err error) {
	found, err := lookupIndex(ctx, r, r.IndexPath(), append(git.AttributeFiles(path), path)...)
	if err != nil {
		return nil, false, fmt.Errorf("read the index: %w", err)
	}
	entries := found[path]
	if len(entries) != 1 || entries[0].stage > 0 || entries[0].intentToAdd {
		return nil, false, nil
	}
	attrs, err := r.ReadAttributes(ctx, path, found.has)
	if err != nil {
		return nil, false, err
	}
	if !attrs.Filtered {
		reader := r.Reader(ctx)
		defer reader.Close()
		o, err := reader.Ask(entries[0].id)
		return o.Data, err == nil, err
	}
	data, err = r.Git().Output(ctx, "cat-file", "--filters", "--path="+path, entries[0].id)
	return data, err == nil, err
}

// SkippedFile returns from the index a file that a sparse checkout leaves out of the worktree; not ok if the index has no such
// file, or if it should be on disk.
func SkippedFile(ctx context.Context, r *git.Repo, path string) (data []byte, ok bool, err error) {
	found, err := lookupIndex(ctx, r, r.IndexPath(), path)
	if err != nil {
		return nil, false, fmt.Errorf("read the index: %w", err)
	}
	entries := found[path]
	if len(entries) != 1 || !entries[0].skipWorktree {
		return nil, false, nil
	}
	data, err = r.Git().Output(ctx, "cat-file", "--filters", "--path="+path, entries[0].id)
	return data, err == nil, err
}
