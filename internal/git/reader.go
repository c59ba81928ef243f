package git

import (
	"context"
	"errors"
)

// Errors of a Reader.
var (
	// ErrBadRevision: the text names no commit of this repository.
	ErrBadRevision = errors.New("names no commit")
	// ErrNotFound: the commit holds no file of that path.
	ErrNotFound = errors.New("not in that commit")
	// ErrMissing: the object belongs to the history but is not at hand, as in a partial clone, or is damaged.
	ErrMissing = errors.New("object is not at hand")
)

// Blob is a file as the repository holds it, before any conversion for the worktree.
type Blob struct {
	ID   string // object id in hex
	Data []byte
}

// Reader reads commits. Every engine behind it passes the same contract suite. It is not safe for concurrent use.
type Reader interface {
	// Resolve gives the id of the commit that rev names, in any of git's spellings; a tag is followed to its commit.
	// What rev holds is never taken for an option. The error is ErrBadRevision.
	Resolve(rev string) (string, error)
	// File gives the file at path (slash-separated, from the root) in a commit, named by its id.
	// The error is ErrNotFound, ErrBadRevision or ErrMissing.
	File(commit, path string) (Blob, error)
	// Time gives the committer's date of the commit that rev names, in seconds since 1970. The error is ErrBadRevision.
	Time(rev string) (int64, error)
	// IsAncestor tells whether ancestor can be reached from descendant; a commit reaches itself. Both are in any of git's
	// spellings. The error is ErrBadRevision, or that of a history that is not at hand.
	IsAncestor(ancestor, descendant string) (bool, error)
	// Close ends the engine.
	Close() error
}

// Reader opens an engine for reading. It starts nothing until it is asked.
func (r *Repo) Reader(ctx context.Context) Reader { return &catFile{repo: r, ctx: ctx} }
