package store

import (
	"context"
	"errors"
	"iter"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/merge"
	"git-ralph/internal/planrepair"
)

// repair makes the request repair the file.
func (t *transaction) repair(ctx context.Context) error {
	found := planrepair.File{Path: t.path, Data: t.found.data, Sources: t.sources(ctx)}
	if index := t.tx.Index(); index.State == commit.IndexUnmerged {
		stages, err := t.readVersions(index.Stages)
		if err != nil {
			return err
		}
		found.Stages = &stages
	}
	merged, err := t.request.Repair(found)
	t.before, t.ownEdits, t.merged = file{merged.Data, true}, false, &merged
	return err
}

// readVersions reads base, ours and theirs: blobs, or files of commits.
func (t *transaction) readVersions(names [3]string) (v planrepair.Versions, err error) {
	for i, data := range [...]*[]byte{&v.Base, &v.Ours, &v.Theirs} {
		if *data, _, err = t.tx.Content(names[i]); err != nil {
			return planrepair.Versions{}, err
		}
	}
	return v, nil
}

// sources finds the versions that a file with conflict markers was merged from:
// those in the index before the file was added, or those of the parents of the
// merge commit that committed it.
func (t *transaction) sources(ctx context.Context) iter.Seq2[planrepair.Versions, error] {
	return func(yield func(planrepair.Versions, error) bool) {
		undone, err := t.tx.ResolveUndo()
		if err != nil {
			yield(planrepair.Versions{}, err)
			return
		}
		if undone != [3]string{} {
			if v, err := t.readVersions(undone); !yield(v, err) {
				return
			}
		}
		if !t.found.same(t.head) {
			return
		}
		if v, found, err := t.parentVersions(ctx); found || err != nil {
			yield(v, err)
		}
	}
}

// parentVersions returns the versions that the last change of the plan was
// merged from; found is false if it was not a merge of two.
func (t *transaction) parentVersions(ctx context.Context) (v planrepair.Versions, found bool, err error) {
	parents, err := walk.ParentsOfLastChange(ctx, t.repo, t.tx.Head(), t.path)
	if err != nil || len(parents) != 2 {
		return planrepair.Versions{}, false, err
	}
	if v, err = t.readVersions([3]string{"", parents[0] + ":" + t.path, parents[1] + ":" + t.path}); err != nil {
		return planrepair.Versions{}, false, err
	}
	v.Base, err = t.Base(ctx, parents[0], parents[1])
	if _, invalid := errors.AsType[*merge.InvalidError](err); invalid {
		return planrepair.Versions{}, false, nil // several bases that cannot be merged
	}
	return v, err == nil, err
}

// Base returns the plan of the merge base of two or more commits, empty if
// there is none. Several merge bases are merged first, as git does.
func (s *Store) Base(ctx context.Context, one string, others ...string) ([]byte, error) {
	bases, err := s.repo.MergeBases(ctx, one, others...)
	if err != nil {
		return nil, err
	}
	reader := s.repo.Reader(ctx)
	defer reader.Close()
	var merged []byte
	for i, commit := range bases {
		blob, err := reader.File(commit, s.path)
		if err != nil && !errors.Is(err, git.ErrNotFound) {
			return nil, err
		}
		if i == 0 {
			merged = blob.Data
			continue
		}
		under, err := s.Base(ctx, commit, bases[:i]...)
		if err != nil {
			return nil, err
		}
		result, err := merge.Merge(under, merged, blob.Data)
		if err != nil {
			return nil, err
		}
		merged = result.Data
	}
	return merged, nil
}

// Unmerged reports whether git's index holds a conflict of the plan.
func (s *Store) Unmerged(ctx context.Context) (bool, error) {
	if s.repo.Bare() {
		return false, nil
	}
	return commit.Unmerged(ctx, s.repo, s.path)
}
