package git

import (
	"bytes"
	"context"
	"strings"

	"git-ralph/internal/git/config"
)

// HeadCommit is the commit that HEAD points to.
type HeadCommit struct {
	ID         string
	Message    string // in the commit's own encoding
	AuthorDate string // as in the commit: seconds since 1970, and the time zone
}

// HeadCommit reads the commit at HEAD. The error is ErrBadRevision where there is none yet.
func (r *Repo) HeadCommit(ctx context.Context) (HeadCommit, error) {
	reader := r.Reader(ctx)
	defer reader.Close()
	o, err := reader.Commit("HEAD")
	return HeadCommit{ID: o.ID, Message: MessageOf(o.Data), AuthorDate: authorDateOf(o.Data)}, err
}

// authorDateOf returns what follows the author's address in a commit's headers.
func authorDateOf(commit []byte) string {
	_, author, _ := strings.Cut(string(commit), "\nauthor ")
	author, _, _ = strings.Cut(author, "\n")
	_, date, _ := strings.Cut(author, "> ")
	return date
}

// MessageOf returns the text below a commit's headers.
func MessageOf(commit []byte) string {
	_, message, _ := strings.Cut(string(commit), "\n\n")
	return message
}

// RootOf returns the id of a commit's root tree.
func RootOf(commit []byte) string {
	line, _, _ := bytes.Cut(commit, []byte("\n"))
	return strings.TrimPrefix(string(line), "tree ")
}

// CopiesNotes reports whether `git commit --amend` copies the notes of the commit that it amends. It copies them after its
// hooks have run, to the commit that git itself made.
func (r *Repo) CopiesNotes(c *config.Config) bool {
	if refs, ok := config.Getenv(r.git.Environ, "GIT_NOTES_REWRITE_REF"); ok {
		return refs != ""
	}
	_, ok := c.Get("notes.rewriteRef")
	return ok
}
