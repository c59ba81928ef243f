package git

import (
	"bytes"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Foldable tells whether HEAD's commit may be made anew with another content of the file, and gives its first parent.
// It may not where that would break a signature, where a remote has it already, or where it is the first one.
func (t *Tx) Foldable() (parent string, ok bool, err error) {
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
	onRemote, err := t.repo.run(t.ctx, nil, "for-each-ref", "--count=1", "--contains="+t.head, "refs/remotes")
	return parent, onRemote == "" && err == nil, err
}

// PrepareFold is Prepare for a commit that takes the place of HEAD's: content stands at the path, and everything else,
// message, author, dates and parents, is as it was. Publish then moves the branch from the one to the other.
func (t *Tx) PrepareFold(content []byte) error {
	commit, err := t.headCommit()
	if err != nil {
		return err
	}
	t.folded = commit
	return t.Prepare(content, messageOf(commit))
}

// headCommit gives the text of the commit that the transaction found at HEAD.
func (t *Tx) headCommit() ([]byte, error) {
	if t.head == "" {
		return nil, errNoCommit
	}
	if o, ok := t.repo.readLoose(t.head); ok && !t.repo.replaces() {
		return o.data, nil
	}
	o, err := t.reader.commit(t.head)
	return o.data, err
}

// writeFolded makes the commit that takes the place of HEAD's.
func (t *Tx) writeFolded(root string) (string, error) {
	_, rest, _ := bytes.Cut(t.folded, []byte("\n"))
	text := append([]byte("tree "+root+"\n"), rest...)
	if t.repo.format == "sha1" {
		return t.repo.writeLoose(t.config, plumbing.CommitObject, text)
	}
	return t.repo.run(t.ctx, text, "hash-object", "-w", "--stdin", "-t", "commit")
}
