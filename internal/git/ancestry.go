package git

import (
	"context"
	"errors"
	"strings"

	"git-ralph/internal/proc"
)

// MergeBases gives the best common ancestors, by id, of a commit and of the commit that a merge of others would make.
// There are none where the histories are unrelated, and several after merges that went across each other.
func (r *Repo) MergeBases(ctx context.Context, commit string, others ...string) ([]string, error) {
	out, err := r.run(ctx, nil, append([]string{"merge-base", "--all", "--end-of-options", commit}, others...)...)
	if proc.ExitCode(err) == 1 {
		return nil, nil
	}
	return strings.Fields(out), err
}

// LastChange gives the parents of the commit that made the file at path what it is in commit. Git takes it that a merge
// did so only where the file is in none of its parents like that.
func (r *Repo) LastChange(ctx context.Context, commit, path string) (parents []string, err error) {
	id, err := r.run(ctx, nil, "rev-list", "-1", "--end-of-options", commit, "--", path)
	if err != nil || id == "" {
		return nil, err
	}
	line, err := r.run(ctx, nil, "rev-list", "--no-walk", "--parents", id)
	if err != nil {
		return nil, err
	}
	return strings.Fields(line)[1:], nil
}

// Content gives a file that an object name such as "<commit>:<path>" or the id of a blob stands for, as it would stand
// in the worktree at the transaction's path; not ok where the commit has none. The error is ErrMissing.
func (t *Tx) Content(name string) (content []byte, ok bool, err error) {
	if name == "" {
		return nil, false, nil
	}
	o, err := t.reader.ask(name)
	if errors.Is(err, errNoObject) && !t.reader.isID(name) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, t.reader.missing(t.path, err)
	}
	content, err = t.worktreeForm(o.id, o.data)
	return content, err == nil, err
}

// Undone gives the blobs of base, ours and theirs that the index held at the path before somebody added the file, with
// or without its markers; "" where a side had none. They are all empty where git does not remember.
func (t *Tx) Undone() ([3]string, error) {
	out, err := t.repo.run(t.ctx, nil, "ls-files", "--resolve-undo", "-z", "--", t.path)
	if err != nil {
		return [3]string{}, err
	}
	return stagesOf(parseStages(out)[t.path]), nil
}
