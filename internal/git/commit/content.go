package commit

import (
	"errors"

	"git-ralph/internal/git"
)

// Content returns the file that an object name such as "<commit>:<path>" or the id of a blob names, in the form that it would
// have in the worktree at the transaction's path; not ok if the commit has no such file. The error is ErrMissing.
func (t *Tx) Content(name string) (content []byte, ok bool, err error) {
	if name == "" {
		return nil, false, nil
	}
	o, err := t.reader.Ask(name)
	if errors.Is(err, git.ErrNoObject) && !t.reader.IsID(name) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, t.reader.Missing(t.path, err)
	}
	content, err = t.worktreeForm(o.ID, o.Data)
	return content, err == nil, err
}

// ResolveUndo returns the blobs of base, ours and theirs that the index held at the path before somebody resolved the conflict
// with `git add`, from its resolve-undo extension; "" where a side had none. All are empty where git did not record them.
func (t *Tx) ResolveUndo() ([3]string, error) {
	out, err := t.repo.Git().Run(t.ctx, nil, "ls-files", "--resolve-undo", "-z", "--", t.path)
	if err != nil {
		return [3]string{}, err
	}
	return stagesOf(parseStages(out)[t.path]), nil
}
