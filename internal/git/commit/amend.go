package commit

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"git-ralph/internal/git"
)

// Amendable reports whether HEAD's commit may be amended with another content of the file, and returns its first parent. A
// commit that is signed, that a remote-tracking branch contains, or that has no parent may not be amended.
func (t *Tx) Amendable() (parent string, ok bool, err error) {
	commit, err := t.headCommit()
	if err != nil {
		return "", false, err
	}
	headers, _, _ := strings.Cut(string(commit), "\n\n")
	_, rest, found := strings.Cut(headers, "\nparent ")
	if !found || strings.Contains(headers, "\ngpgsig") {
		return "", false, nil
	}
	parent, _, _ = strings.Cut(rest, "\n")
	onRemote, err := t.repo.Git().Run(t.ctx, nil, "for-each-ref", "--count=1", "--contains="+t.base.commit, "refs/remotes")
	return parent, onRemote == "" && err == nil, err
}

// PrepareAmend is Prepare for a commit that replaces HEAD's: it has content at the path, and the same message, author, dates and
// parents. Publish then moves the branch from the old commit to the new one.
func (t *Tx) PrepareAmend(content []byte) error {
	commit, err := t.headCommit()
	if err != nil {
		return err
	}
	t.prepared.amended = commit
	return t.Prepare(content, git.MessageOf(commit))
}

// headCommit returns the text of the commit that the transaction found at HEAD.
func (t *Tx) headCommit() ([]byte, error) {
	if t.base.commit == "" {
		return nil, errNoCommit
	}
	o, err := t.reader.Commit(t.base.commit)
	return o.Data, err
}

// writeAmended makes the commit that replaces HEAD's.
func (t *Tx) writeAmended(root string) (string, error) {
	_, rest, _ := bytes.Cut(t.prepared.amended, []byte("\n"))
	text := append([]byte("tree "+root+"\n"), rest...)
	return t.writeObject(plumbing.CommitObject, text)
}

// errNoCommit: a transaction on a branch without a commit has none to amend.
var errNoCommit = errors.New("there is no commit yet")
