package git

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
)

// Errors of a transaction.
var (
	// ErrNothingToCommit: HEAD holds exactly this content already.
	ErrNothingToCommit = errors.New("nothing to commit")
	// ErrHeadMoved: the branch or HEAD changed since Begin. Nothing was published; begin again.
	ErrHeadMoved = errors.New("HEAD moved meanwhile")
	// ErrFileChanged: the file on disk is not the one that was prepared. Nothing was published.
	ErrFileChanged = errors.New("the file was changed meanwhile")
	// ErrPathBlocked: something else than a file stands at the path or on the way to it.
	ErrPathBlocked = errors.New("is in the way")
	// ErrBadPath: not a plain path below the root.
	ErrBadPath = errors.New("is no path in the worktree")
)

// RefLockedError: another git process keeps the branch or HEAD locked, or left its lock behind. Nothing was published.
type RefLockedError struct {
	Ref  string // full name of the branch, or HEAD
	Path string // of the lock file
	Err  error  // git's words, which name the lock file
}

func (e *RefLockedError) Error() string { return fmt.Sprintf("%s is locked: %v", e.Ref, e.Err) }

// Unwrap gives git's error.
func (e *RefLockedError) Unwrap() error { return e.Err }

// Hint says what can be done.
func (e *RefLockedError) Hint() string {
	return "wait for the other git process to end; if none is running, a crash left the lock file behind and it may be removed: `" + removal(e.Path) + "`"
}

// Tx changes one file by one commit. From Begin to Close it holds index.lock, so that no other git command changes
// index, HEAD's branch or worktree meanwhile. Use: Begin, look, Prepare, write the worktree file, Publish, Close.
type Tx struct {
	repo   *Repo
	ctx    context.Context
	config *Config
	path   string
	lock   *indexLock
	reader *catFile

	ref      string // full name of the branch, "" while HEAD is detached
	head     string // commit, "" on a branch without one
	trees    []tree // root first, along path, as far as HEAD has them
	headMode string
	headID   string // blob in HEAD, "" where there is none
	headData []byte
	entry    IndexEntry
	attrs    attributes

	content    []byte // prepared, as it will stand in the worktree
	message    string
	blob, mode string // prepared content
	folded     []byte // the commit that the prepared one takes the place of; nil for a new one
	commit     string // prepared commit
	stage      *staging
	update     *refUpdate
	reaped     sync.WaitGroup // processes that are on their way out
}

// tree is one folder of HEAD on the way to the file.
type tree struct{ data []byte }

// Begin locks the index and reads HEAD and the index at path (slash-separated, from the root). The caller must hold the
// worktree's ralph lock. It waits for index.lock as long as wait says. Errors: ErrBare, ErrBadPath, ErrPathBlocked, a
// *LockedError, or git's own.
func (r *Repo) Begin(ctx context.Context, path string, wait time.Duration) (*Tx, error) {
	if r.Bare() {
		return nil, ErrBare
	}
	if !validPath(path) {
		return nil, fmt.Errorf("%q %w", path, ErrBadPath)
	}
	config, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	t := &Tx{repo: r, ctx: ctx, config: config, path: path, reader: &catFile{repo: r, ctx: ctx}}
	warm := t.warmUp()
	patient, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if t.lock, err = r.lockIndex(patient, path); err == nil {
		<-warm
		err = t.read()
	}
	<-warm
	if err != nil {
		t.Close()
		return nil, err
	}
	r.step(StepRead)
	return t, nil
}

// warmUp starts the reader while the lock is being taken, if it looks as if it will be needed. It reads nothing before
// it is asked.
func (t *Tx) warmUp() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if !t.looksLoose() {
			t.reader.start() //nolint:errcheck // the first question tries again and tells
		}
	}()
	return done
}

// looksLoose tells whether HEAD's commit can be read without git.
func (t *Tx) looksLoose() bool {
	if t.repo.reftable {
		return false
	}
	name, err := t.repo.headRef(t.ctx)
	if name == "" {
		name = "HEAD"
	}
	id, ok := t.repo.looseRef(name)
	if err != nil || !ok {
		return false
	}
	_, ok = t.repo.readLoose(id)
	return ok
}

func (t *Tx) read() error {
	if err := t.repo.settle(t.ctx, t.lock.index); err != nil {
		return err
	}
	if err := t.findHead(); err != nil {
		return err
	}
	entries, err := t.repo.lookupIndex(t.ctx, t.lock.index, append(attributeFiles(t.path), t.path)...)
	if err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	t.entry = indexState(entries[t.path], t.headID, t.headMode)
	if t.attrs, err = t.repo.readAttributes(t.ctx, t.path, entries); err == nil {
		err = t.checkEncoding()
	}
	t.dismiss()
	return err
}

// findHead is readHead, with patience for `git branch -m`: it deletes the branch before it moves HEAD, so that for a
// moment the branch seems to have no commit yet.
func (t *Tx) findHead() error {
	for end := time.Now().Add(renameTime); ; time.Sleep(2 * time.Millisecond) {
		err := t.readHead()
		if err != nil || t.head != "" || !t.repo.hadHead() || time.Now().After(end) || t.ctx.Err() != nil {
			return err
		}
	}
}

// readHead finds the commit that HEAD stands at, and the file in it. The branch is asked for by its full name: the
// commit is made for it, whatever HEAD does meanwhile.
func (t *Tx) readHead() error {
	var err error
	if t.ref, err = t.repo.headRef(t.ctx); err != nil {
		return err
	}
	name := t.ref
	if name == "" {
		name = "HEAD"
	}
	parts := strings.Split(t.path, "/")
	if commit, objects, ok := t.looseHead(name); ok {
		t.head = commit.id
		return t.place(parts, objects)
	}
	o, err := t.reader.ask(name)
	if errors.Is(err, errNoObject) && t.ref != "" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read HEAD: %w", err)
	}
	if o.kind != "commit" {
		return fmt.Errorf("HEAD is a %s, not a commit", o.kind)
	}
	t.head = o.id
	objects, err := t.readPath(parts, rootOf(o.data))
	if err != nil {
		return fmt.Errorf("read HEAD: %w", err)
	}
	return t.place(parts, objects)
}

// readPath has git read the folders on the way to the file, and the file. All are asked for at once.
func (t *Tx) readPath(parts []string, root string) ([]object, error) {
	names := []string{root}
	for i := range parts {
		names = append(names, t.head+":"+strings.Join(parts[:i+1], "/"))
	}
	if err := t.reader.send(names...); err != nil {
		return nil, err
	}
	objects := make([]object, len(names))
	for i := range names {
		o, err := t.reader.receive()
		if err != nil && !errors.Is(err, errNoObject) {
			return nil, err
		}
		objects[i] = o
	}
	return objects, nil
}

// place sorts the answers into folders and the file.
func (t *Tx) place(parts []string, objects []object) error {
	for i, part := range parts {
		if objects[i].kind != "tree" {
			return fmt.Errorf("%s: %w", t.path, ErrMissing)
		}
		t.trees = append(t.trees, tree{data: objects[i].data})
		e, ok := findEntry(objects[i].data, part, t.repo.hexSize()/2)
		last := i == len(parts)-1
		switch {
		case !ok:
			return nil
		case last && e.isFile():
			if objects[i+1].kind != "blob" {
				return fmt.Errorf("%s: %w", t.path, ErrMissing)
			}
			t.headMode, t.headID, t.headData = e.mode, hex.EncodeToString(e.id), objects[i+1].data
		case last || !e.isTree():
			return fmt.Errorf("%s %w (in HEAD)", strings.Join(parts[:i+1], "/"), ErrPathBlocked)
		}
	}
	return nil
}

// dismiss lets the reader go while we do other things. A further question starts a new one, which is rare.
func (t *Tx) dismiss() {
	old := *t.reader
	t.reader.talk = nil
	t.reaped.Go(func() { old.Close() }) //nolint:errcheck // what it said was heard
}

// Head gives the commit that the transaction builds on, "" on a branch without one.
func (t *Tx) Head() string { return t.head }

// Branch gives the short name of the branch, "" while HEAD is detached.
func (t *Tx) Branch() string { return strings.TrimPrefix(t.ref, "refs/heads/") }

// HeadContent gives the file in HEAD as it would stand in the worktree; not ok where HEAD has none.
func (t *Tx) HeadContent() (content []byte, ok bool, err error) {
	if t.headID == "" {
		return nil, false, nil
	}
	content, err = t.worktreeForm(t.headID, t.headData)
	return content, err == nil, err
}

// Index tells how the index stands at the path.
func (t *Tx) Index() IndexEntry { return t.entry }

// IndexContent gives the file in the index as it would stand in the worktree; not ok where the index has none.
func (t *Tx) IndexContent() (content []byte, ok bool, err error) {
	switch t.entry.ID {
	case "":
		return nil, false, nil
	case t.headID:
		return t.HeadContent()
	}
	o, err := t.reader.ask(t.entry.ID)
	if err != nil {
		return nil, false, fmt.Errorf("%s in the index: %w", t.path, err)
	}
	content, err = t.worktreeForm(o.id, o.data)
	return content, err == nil, err
}

// worktreeForm applies the filters that git applies on checkout.
func (t *Tx) worktreeForm(id string, data []byte) ([]byte, error) {
	if !t.attrs.filtered {
		return data, nil
	}
	return t.repo.output(t.ctx, "cat-file", "--filters", "--path="+t.path, id)
}

// Commit gives the prepared commit, "" before Prepare.
func (t *Tx) Commit() string { return t.commit }

// Close gives everything back that Publish or Stage have not: whatever happened, the index is unlocked and no process
// is left. It may be called at any time and more than once.
func (t *Tx) Close() {
	if t.stage != nil {
		t.stage.talk.Close() //nolint:errcheck // what mattered was told by finish
	}
	if t.update != nil {
		t.update.end() //nolint:errcheck // what mattered was told by commit
	}
	if t.lock != nil {
		t.lock.release()
	}
	t.reader.Close() //nolint:errcheck // what it said was heard
	t.reaped.Wait()
}

// onDisk gives the file of the worktree as the file system sees it, nil where there is none.
func (t *Tx) onDisk() os.FileInfo {
	info, err := os.Lstat(filepath.Join(t.repo.root, filepath.FromSlash(t.path)))
	if err != nil {
		return nil
	}
	return info
}
