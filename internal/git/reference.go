package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// A Reference is the content of a reference's file.
type Reference struct {
	ID     Hash
	Target string // full name of the reference that a symbolic one points to, "" for one that holds an id
}

// ErrUnexpectedReference: a file does not hold a reference that we understand.
var ErrUnexpectedReference = errors.New("unexpected reference")

// maxLinks is how many symbolic references may point to each other in a row.
const maxLinks = 5

// ReferencePath returns the file of a reference: HEAD and ORIG_HEAD are the worktree's own.
func (r *Repo) ReferencePath(name string) string {
	dir := r.commonDir
	if !strings.HasPrefix(name, "refs/") {
		dir = r.gitDir
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// ReadReference reads the file of a reference. The error is fs.ErrNotExist where it has none, as when it is packed, and
// ErrUnexpectedReference where only git can read it.
func (r *Repo) ReadReference(name string) (Reference, error) {
	if r.reftable || !isReferenceName(name) {
		return Reference{}, ErrUnexpectedReference
	}
	path := r.ReferencePath(name)
	if name == "HEAD" {
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return Reference{}, ErrUnexpectedReference // a link to the branch's file, as git once wrote it
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Reference{}, err
	}
	text := bytes.TrimRight(data, " \t\r\n")
	if target, ok := bytes.CutPrefix(text, []byte("ref:")); ok {
		return Reference{Target: string(bytes.TrimLeft(target, " \t"))}, nil
	}
	id, ok := r.parseID(text)
	if !ok {
		return Reference{}, ErrUnexpectedReference
	}
	return Reference{ID: id}, nil
}

// parseID reads an object id of the repository's format in hex.
func (r *Repo) parseID(text []byte) (id Hash, ok bool) {
	if len(text) != hex.EncodedLen(r.IDSize()) {
		return id, false
	}
	_, err := hex.Decode(id[:], text)
	return id, err == nil
}

// LooseReference returns the id that a reference resolves to, following symbolic ones. It is not ok if one of them is not a
// file, or does not exist.
func (r *Repo) LooseReference(name string) (id Hash, ok bool) {
	for range maxLinks {
		ref, err := r.ReadReference(name)
		if err != nil || ref.Target == "" {
			return ref.ID, err == nil
		}
		name = ref.Target
	}
	return Hash{}, false
}

// IDAt returns the id that HEAD or the full name of a reference resolves to, "" if there is none. It rarely starts a process.
func (r *Repo) IDAt(ctx context.Context, name string) (string, error) {
	if id, ok := r.LooseReference(name); ok {
		return hex.EncodeToString(id[:r.IDSize()]), nil
	}
	if _, err := r.ReadReference(name); isTip(name) && errors.Is(err, fs.ErrNotExist) {
		if id, err := packedID(r, name); err == nil {
			return id, nil
		}
	}
	id, err := r.git.Run(ctx, nil, "rev-parse", "-q", "--verify", name)
	if proc.ExitCode(err) == 1 {
		return "", nil
	}
	return id, err
}

// HeadRef returns the full name of the branch that HEAD points to, "" for a detached HEAD.
func (r *Repo) HeadRef(ctx context.Context) (string, error) { return r.target(ctx, "HEAD") }

// target returns the full name of the reference that a symbolic one points to, "" for one that holds an id.
func (r *Repo) target(ctx context.Context, name string) (string, error) {
	ref, err := r.ReadReference(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) && name != "HEAD" { // symbolic references are never packed
		return ref.Target, nil
	}
	target, err := r.git.Run(ctx, nil, "symbolic-ref", "-q", name)
	if proc.ExitCode(err) == 1 {
		return "", nil
	}
	return target, err
}

// Head returns the commit that HEAD points to, "" on a branch without commits. It rarely starts a process.
func (r *Repo) Head(ctx context.Context) (string, error) { return r.IDAt(ctx, "HEAD") }
