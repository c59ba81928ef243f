// Package commit changes one file of a repository by one commit, and leaves everything else of the user's as it is.
//
// Everything that changes the repository goes through git, except new blobs, trees and plain commits: loose objects that nothing
// refers to yet. A change is a Tx: Begin takes index.lock and reads HEAD and the index, Prepare makes the commit, Publish moves
// the branch to it. ThroughGit is the user's own `git commit`, hooks and all.
//
// go-git hashes objects here and reads nothing: its index decoder hashes and allocates the whole file and refuses a split or
// sparse index, it reads packed-refs only as a part of its own storage, and it compresses every loose object that it writes.
package commit

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/git/odb"
)

// Errors of a transaction.
var (
	// ErrNothingToCommit: HEAD has exactly this content already.
	ErrNothingToCommit = errors.New("nothing to commit")
	// ErrHeadMoved: the branch or HEAD changed since Begin. Nothing was published; begin again.
	ErrHeadMoved = errors.New("HEAD moved meanwhile")
	// ErrFileChanged: the file on disk is not the one that was prepared. Nothing was published.
	ErrFileChanged = errors.New("the file was changed meanwhile")
	// ErrPathBlocked: there is something other than a file at the path, or other than a directory on the way to it.
	ErrPathBlocked = errors.New("is in the way")
	// ErrBadPath: not a plain path below the root.
	ErrBadPath = errors.New("is not a path in the worktree")
)

// RefLockedError: another git process keeps the branch or HEAD locked, or left its lock behind. Nothing was published.
type RefLockedError struct {
	Ref  string // full name of the branch, or HEAD
	Path string // of the lock file
	Err  error  // git's error, which names the lock file
}

func (e *RefLockedError) Error() string { return fmt.Sprintf("%s is locked: %v", e.Ref, e.Err) }

// Unwrap returns git's error.
func (e *RefLockedError) Unwrap() error { return e.Err }

// Hint returns what the user can do.
func (e *RefLockedError) Hint() string {
	return "wait for the other git process to end; if none is running, a crash left the lock file behind and it may be removed: `" + removal(e.Path) + "`"
}

// Tx changes one file by one commit. From Begin to Close it holds index.lock, so that no other git command changes
// index, HEAD's branch or worktree meanwhile. Use: Begin, read, Prepare, write the worktree file, Publish, Close.
type Tx struct {
	repo   *git.Repo
	ctx    context.Context
	config *config.Config
	path   string
	lock   *indexLock
	reader *git.Reader

	base     base
	entry    IndexEntry
	attrs    git.Attributes
	prepared prepared

	stage        *staging
	update       *refUpdate
	reaped       sync.WaitGroup // processes that are about to end
	otherUpdates string         // commands for update-ref, for other references
}

// base is what a transaction builds on: HEAD, and the file in it.
type base struct {
	ref    string // full name of the branch, "" while HEAD is detached
	commit string // "" on a branch without one
	trees  []tree // root first, along path, as far as HEAD has them
	mode   string
	blob   string // "" where HEAD has no such file
	data   []byte
}

// prepared is what Prepare made, and Publish publishes.
type prepared struct {
	content    []byte // as it will be in the worktree
	message    string
	blob, mode string
	amended    []byte // the commit that this one replaces; nil for a new one
	commit     string
}

// tree is one directory of HEAD on the way to the file.
type tree struct{ data []byte }

// Begin locks the index and reads HEAD and the index at path (slash-separated, from the root). The caller must hold the
// worktree's ralph lock. It waits for index.lock as long as wait says. Errors: ErrBare, ErrBadPath, ErrPathBlocked, a
// *LockedError, or git's own.
func Begin(ctx context.Context, r *git.Repo, path string, wait time.Duration) (*Tx, error) {
	return begin(ctx, r, path, func() (*indexLock, error) {
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		return lockIndex(ctx, r, path)
	})
}

// BeginReading is Begin for a transaction that only reads: it takes no lock.
func BeginReading(ctx context.Context, r *git.Repo, path string) (*Tx, error) {
	return begin(ctx, r, path, func() (*indexLock, error) { return &indexLock{index: r.IndexPath()}, nil })
}

func begin(ctx context.Context, r *git.Repo, path string, lock func() (*indexLock, error)) (*Tx, error) {
	if r.Bare() {
		return nil, git.ErrBare
	}
	if !git.ValidPath(path) {
		return nil, fmt.Errorf("%q %w", path, ErrBadPath)
	}
	config, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	t := &Tx{repo: r, ctx: ctx, config: config, path: path, reader: r.Reader(ctx)}
	if t.lock, err = lock(); err == nil {
		err = t.read()
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	r.Step(StepRead)
	return t, nil
}

func (t *Tx) read() error {
	if err := awaitHead(t.ctx, t.repo, t.lock.index); err != nil {
		return err
	}
	if err := t.findHead(); err != nil {
		return err
	}
	entries, err := lookupIndex(t.ctx, t.repo, t.lock.index, append(git.AttributeFiles(t.path), t.path)...)
	if err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	t.entry = indexState(entries[t.path], t.base.blob, t.base.mode)
	if t.attrs, err = t.repo.ReadAttributes(t.ctx, t.path, entries.has); err == nil {
		err = t.checkEncoding()
	}
	t.closeReader()
	return err
}

// findHead is readHead, and waits for a running `git branch -m`, which deletes the branch before it moves HEAD, so that for a
// moment the branch seems to have no commit yet.
func (t *Tx) findHead() error {
	for end := time.Now().Add(renameTime); ; time.Sleep(2 * time.Millisecond) {
		err := t.readHead()
		if err != nil || t.base.commit != "" || !hadHead(t.repo) || time.Now().After(end) || t.ctx.Err() != nil {
			return err
		}
	}
}

// readHead finds the commit that HEAD points to, and the file in it. git gets the full name of the branch: the commit is made on
// that branch even if HEAD moves meanwhile.
func (t *Tx) readHead() error {
	var err error
	if t.base.ref, err = t.repo.HeadRef(t.ctx); err != nil {
		return err
	}
	name := t.base.ref
	if name == "" {
		name = "HEAD"
	}
	parts := strings.Split(t.path, "/")
	o, err := t.reader.Ask(name)
	if errors.Is(err, git.ErrNoObject) && t.base.ref != "" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read HEAD: %w", err)
	}
	if o.Kind != "commit" {
		return fmt.Errorf("HEAD is a %s, not a commit", o.Kind)
	}
	t.base.commit = o.ID
	objects, err := t.readPath(parts, git.RootOf(o.Data))
	if err != nil {
		return fmt.Errorf("read HEAD: %w", err)
	}
	return t.sortObjects(parts, objects)
}

// readPath reads the directories on the way to the file, and the file. If the path does not exist completely, the rest are empty.
func (t *Tx) readPath(parts []string, root string) ([]git.Object, error) {
	objects := make([]git.Object, len(parts)+1)
	id := root
	for i := range objects {
		o, err := t.reader.Ask(id)
		if err != nil && !errors.Is(err, git.ErrNoObject) {
			return nil, err
		}
		if objects[i] = o; i == len(parts) || o.Kind != "tree" {
			break
		}
		e, found, _ := odb.FindEntry(o.Data, parts[i], t.repo.IDSize())
		if !found || string(e.Mode) == modeSubmodule {
			break
		}
		id = hex.EncodeToString(e.ID)
	}
	return objects, nil
}

// sortObjects divides the objects into directories and the file.
func (t *Tx) sortObjects(parts []string, objects []git.Object) error {
	for i, part := range parts {
		if objects[i].Kind != "tree" {
			return fmt.Errorf("%s: %w", t.path, git.ErrMissing)
		}
		t.base.trees = append(t.base.trees, tree{data: objects[i].Data})
		e, ok, _ := odb.FindEntry(objects[i].Data, part, t.repo.IDSize())
		last := i == len(parts)-1
		switch {
		case !ok:
			return nil
		case last && e.IsFile():
			if objects[i+1].Kind != "blob" {
				return fmt.Errorf("%s: %w", t.path, git.ErrMissing)
			}
			t.base.mode, t.base.blob, t.base.data = string(e.Mode), hex.EncodeToString(e.ID), objects[i+1].Data
		case last:
			return blocked(parts[:i+1], e, "a file")
		case !e.IsTree():
			return blocked(parts[:i+1], e, "a directory")
		}
	}
	return nil
}

// blocked returns the error for what HEAD has in place of a file or directory.
func blocked(parts []string, e odb.TreeEntry, want string) error {
	found := "a submodule"
	switch {
	case e.IsLink():
		found = "a symbolic link"
	case e.IsTree():
		found = "a directory"
	case e.IsFile():
		found = "a file"
	}
	return fmt.Errorf("%s %w: HEAD has %s there; commit %s in its place first", strings.Join(parts, "/"), ErrPathBlocked, found, want)
}

// closeReader closes the reader in the background. Another query, which is rare, starts a new one.
func (t *Tx) closeReader() {
	old := t.reader.Detach()
	t.reaped.Go(func() { old.Close() }) //nolint:errcheck // its answers were read
}

// Head returns the commit that the transaction builds on, "" on a branch without one.
func (t *Tx) Head() string { return t.base.commit }

// Branch returns the short name of the branch, "" while HEAD is detached.
func (t *Tx) Branch() string { return strings.TrimPrefix(t.base.ref, "refs/heads/") }

// HeadContent returns the file in HEAD in the form that it would have in the worktree; not ok if HEAD has none.
func (t *Tx) HeadContent() (content []byte, ok bool, err error) {
	if t.base.blob == "" {
		return nil, false, nil
	}
	content, err = t.worktreeForm(t.base.blob, t.base.data)
	return content, err == nil, err
}

// Index returns what the index holds at the path.
func (t *Tx) Index() IndexEntry { return t.entry }

// IndexContent returns the file in the index in the form that it would have in the worktree; not ok if the index has none.
func (t *Tx) IndexContent() (content []byte, ok bool, err error) {
	switch t.entry.ID {
	case "":
		return nil, false, nil
	case t.base.blob:
		return t.HeadContent()
	}
	o, err := t.reader.Ask(t.entry.ID)
	if err != nil {
		return nil, false, fmt.Errorf("%s in the index: %w", t.path, err)
	}
	content, err = t.worktreeForm(o.ID, o.Data)
	return content, err == nil, err
}

// worktreeForm applies the filters that git applies on checkout.
func (t *Tx) worktreeForm(id string, data []byte) ([]byte, error) {
	if !t.attrs.Filtered {
		return data, nil
	}
	return t.repo.Git().Output(t.ctx, "cat-file", "--filters", "--path="+t.path, id)
}

// Commit returns the prepared commit, "" before Prepare.
func (t *Tx) Commit() string { return t.prepared.commit }

// Close releases everything that is still held: afterwards the index is unlocked and no process is left. It may be called at any
// time and more than once.
func (t *Tx) Close() {
	if t.stage != nil {
		t.stage.talk.Close() //nolint:errcheck // what matters was reported by finish
	}
	if t.update != nil {
		t.update.end() //nolint:errcheck // what matters was reported by commit
	}
	if t.lock != nil {
		t.lock.release()
	}
	t.reader.Close() //nolint:errcheck // its answers were read
	t.reaped.Wait()
}

// onDisk returns the FileInfo of the file in the worktree, nil if there is none.
func (t *Tx) onDisk() os.FileInfo {
	info, err := os.Lstat(filepath.Join(t.repo.Root(), filepath.FromSlash(t.path)))
	if err != nil {
		return nil
	}
	return info
}
