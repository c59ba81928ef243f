package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// HeadCommit is the commit that HEAD stands at.
type HeadCommit struct {
	ID      string
	Message string // as it was written, in the encoding that it was written in
}

// HeadCommit reads the commit at HEAD. The error is ErrBadRevision where there is none yet.
func (r *Repo) HeadCommit(ctx context.Context) (HeadCommit, error) {
	reader := &catFile{repo: r, ctx: ctx}
	defer reader.Close()
	o, err := reader.commit("HEAD")
	return HeadCommit{ID: o.id, Message: messageOf(o.data)}, err
}

// messageOf gives the text below a commit's headers.
func messageOf(commit []byte) string {
	_, message, _ := strings.Cut(string(commit), "\n\n")
	return message
}

// logTail is how much of the end of a log is read: more than the longest line that matters.
const logTail = 4096

// LastMove gives what the log of HEAD says about how HEAD came to be where it is, such as "commit (amend): Fix the
// parser"; "" where no log is kept, or not as a file.
func (r *Repo) LastMove() string {
	tail, err := readTail(filepath.Join(r.gitDir, "logs", "HEAD"), logTail)
	if err != nil {
		return ""
	}
	lines := bytes.Split(bytes.TrimRight(tail, "\n"), []byte("\n"))
	_, reason, _ := strings.Cut(string(lines[len(lines)-1]), "\t")
	return reason
}

// CopiesNotes tells whether `git commit --amend` copies the notes of the commit that it amends. It does so after its hooks,
// to the commit that it made itself.
func (r *Repo) CopiesNotes(c *Config) bool {
	if refs, ok := getenv(r.environ, "GIT_NOTES_REWRITE_REF"); ok {
		return refs != ""
	}
	_, ok := c.Get("notes.rewriteRef")
	return ok
}

// StagedFile gives the file at path as the index holds it, in the form that it has in the worktree; not ok where the
// index has no such file, or has it in conflict. In a hook it is the index of the commit that is being made.
func (r *Repo) StagedFile(ctx context.Context, path string) (data []byte, ok bool, err error) {
	found, err := r.lookupIndex(ctx, r.IndexPath(), append(attributeFiles(path), path)...)
	if err != nil {
		return nil, false, fmt.Errorf("read the index: %w", err)
	}
	entries := found[path]
	if len(entries) != 1 || entries[0].stage > 0 || entries[0].intentToAdd {
		return nil, false, nil
	}
	attrs, err := r.readAttributes(ctx, path, found)
	if err != nil {
		return nil, false, err
	}
	if o, loose := r.readLoose(entries[0].id); loose && !attrs.filtered && !r.replaces() {
		return o.data, true, nil
	}
	data, err = r.output(ctx, "cat-file", "--filters", "--path="+path, entries[0].id)
	return data, err == nil, err
}

// ChangedIn lists the commits that changed path and can be reached from to, but not from from, the oldest first. Where
// from is "" they are those that no reference reaches, as those of a push before it is accepted. Both are commit ids.
func (r *Repo) ChangedIn(ctx context.Context, from, to, path string) ([]string, error) {
	args := []string{"rev-list", "--full-history", "--reverse", to, "--not", "--all"}
	if from != "" {
		args = []string{"rev-list", "--full-history", "--reverse", to, "^" + from}
	}
	out, err := r.run(ctx, nil, append(args, "--", path)...)
	return strings.Fields(out), err
}

// Revisions lists the commits that changed path and can be reached from a commit, given by id, the youngest first.
func (r *Repo) Revisions(ctx context.Context, from, path string) ([]string, error) {
	out, err := r.run(ctx, nil, "rev-list", "--full-history", from, "--", path)
	return strings.Fields(out), err
}

// MergeBase gives the best common ancestor of two commits; not ok where they have none, or are not there.
// No value of the user's may be one of them.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (base string, ok bool) {
	base, err := r.run(ctx, nil, "merge-base", a, b)
	return base, err == nil && base != ""
}

// errNoCommit: a transaction on a branch without a commit has none to make anew.
var errNoCommit = errors.New("there is no commit yet")
