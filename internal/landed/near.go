package landed

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
)

// near is what this process reads itself of a repository. It gives the same verdicts as git's commands, or none.
type near struct {
	*walk.Objects
	size  int // of an id in bytes
	tip   git.Hash
	reach *walk.Reach // from the target

	next   git.Hash              // of the target's first-parent line, not read yet; zero at its end
	brings map[git.Hash]git.Hash // by parent: the oldest commit of that line that has it
}

// errNotNear: only git can find that out.
var errNotNear = errors.New("git is needed")

// errRoot: a commit without parents made the task done, so it is not known what the work was.
var errRoot = errors.New("no commit before")

// maxSkew is by how many seconds the clocks of two committers may differ.
const maxSkew = 24 * 60 * 60

// openNear returns nil where the commit objects alone do not say what the history is.
func openNear(ctx context.Context, r *git.Repo) *near {
	objects, ok := walk.OpenObjects(ctx, r)
	if !ok {
		return nil
	}
	return &near{Objects: objects, size: r.IDSize(), brings: map[git.Hash]git.Hash{}}
}

// begin takes the target's tip.
func (n *near) begin(tip string) (err error) {
	n.tip = n.hash(tip)
	n.next = n.tip
	n.reach, err = n.Reach(n.tip)
	return err
}

func (n *near) hash(id string) git.Hash {
	h, _ := git.ParseHash(id) //nolint:errcheck // the zero hash is no commit's
	return h
}

func (n *near) hex(id git.Hash) string { return hex.EncodeToString(id[:n.size]) }

// searchNear is search for the usual cases: the files are as the work left them, or have its lines; and nobody changed them.
func (j *Judge) searchNear(t Task) (Verdict, error) {
	n := j.near
	if n == nil {
		return "", errNotNear
	}
	done := n.hash(t.Commits[0])
	arrived, err := n.reach.Has(done)
	if err != nil {
		return "", err
	}
	if arrived && j.shows(t) { // else what came since is of interest
		return j.presentNear(done, done)
	}
	b, ok, err := n.Between(done, n.tip)
	if err != nil || !ok {
		return "", errors.Join(err, errNotNear)
	}
	if j.shows(t) {
		return j.presentNear(b.Base, done)
	}
	return j.untouched(t, b)
}

// presentNear judges a task that the target's plan shows as done, where the target has all of its lines,
// or where they came with its commits and nobody took them back as a whole.
func (j *Judge) presentNear(base, done git.Hash) (Verdict, error) {
	w, err := j.workNear(base, done)
	if err != nil {
		return "", err
	}
	if len(w.paths) == 0 {
		return Yes, nil
	}
	there, of, err := j.presenceOf(w)
	if err != nil || of > 0 && there == of {
		return Yes, err
	}
	b, ok, err := j.near.Between(done, j.near.tip)
	if err != nil || !ok || b.Base != done || of == 0 {
		return "", errors.Join(err, errNotNear)
	}
	if err := j.near.noneRepeats(w, b.Other); err != nil || there > 0 {
		return Yes, err
	}
	return Unknown, nil // see afterShown
}

// untouched judges a task that the target's plan does not show as done, and whose files nobody changed there since.
func (j *Judge) untouched(t Task, b walk.Between) (Verdict, error) {
	done := j.near.hash(t.Commits[0])
	arrived := b.Base == done
	if !arrived {
		named, err := j.isNamed(t)
		if err != nil {
			return "", err
		}
		if arrived = named; !named {
			if arrived, err = j.near.isReached(t.Commits[1:]); err != nil {
				return "", err
			}
		}
	}
	w, err := j.workNear(b.Base, done)
	switch {
	case err != nil:
		return "", err
	case arrived && len(w.paths) == 0:
		return "", errNotNear
	case arrived:
		return Yes, j.near.noneChanges(b.Other, w.paths)
	}
	return No, j.near.noneChanges(b.Other, w.paths)
}

// isReached is that of the Judge.
func (n *near) isReached(commits []string) (bool, error) {
	for _, c := range commits {
		if found, err := n.reach.Has(n.hash(c)); found || err != nil {
			return found, err
		}
		b, ok, err := n.Between(n.hash(c), n.tip)
		if err != nil || !ok {
			return false, errors.Join(err, errNotNear)
		}
		if b.Base == n.hash(c) {
			return true, nil
		}
	}
	return false, nil
}

// noneChanges returns an error if one of some commits changes one of some files. Merges do not count.
func (n *near) noneChanges(commits []git.Hash, paths []string) error {
	for _, id := range commits {
		h, err := n.Commit(id)
		if err != nil {
			return err
		}
		if len(h.Parents) > 1 {
			continue
		}
		if changes, err := n.Changes(h, paths); err != nil || changes {
			return errors.Join(err, errNotNear)
		}
	}
	return nil
}

// workNear returns the files of a work: where it left the target is base, or its end where the target has reached it.
func (j *Judge) workNear(base, done git.Hash) (work, error) {
	n := j.near
	var err error
	if base == done {
		if base, err = n.beforeArrival(done); err != nil {
			return work{}, err
		}
	}
	w := work{base: n.hex(base), done: n.hex(done)}
	from, err := n.Commit(base)
	if err != nil {
		return w, err
	}
	to, err := n.Commit(done)
	if err != nil {
		return w, err
	}
	if w.paths, err = n.Changed(from.Tree, to.Tree); err != nil {
		return w, err
	}
	w.paths = slices.DeleteFunc(w.paths, func(path string) bool { return path == j.path })
	if git.TooManyForArgs(w.paths) || slices.ContainsFunc(w.paths, func(path string) bool { return !git.ValidPath(path) }) {
		return w, errNotNear
	}
	return w, nil
}

// beforeArrival is that of the Judge.
func (n *near) beforeArrival(done git.Hash) (git.Hash, error) {
	h, err := n.Commit(done)
	switch {
	case err != nil:
		return done, err
	case len(h.Parents) == 0:
		return done, errRoot
	}
	if err := n.readLine(h.Time - maxSkew); err != nil {
		return done, err
	}
	first, found := n.brings[done]
	if !found {
		return h.Parents[0], nil
	}
	f, err := n.Commit(first)
	if err != nil || f.Parents[0] == done { // it is on the first-parent line itself
		return h.Parents[0], err
	}
	b, ok, err := n.Between(done, f.Parents[0])
	if err != nil || !ok {
		return done, errors.Join(err, errNotNear)
	}
	if b.Base == done {
		return h.Parents[0], nil
	}
	return b.Base, nil
}

// readLine reads the target's first-parent line back to a time.
func (n *near) readLine(until int64) error {
	for !n.next.IsZero() {
		h, err := n.Commit(n.next)
		if err != nil || h.Time < until {
			return err
		}
		for _, p := range h.Parents {
			n.brings[p] = n.next
		}
		n.next = git.Hash{}
		if len(h.Parents) > 0 {
			n.next = h.Parents[0]
		}
	}
	return nil
}

// hasTrailer reports whether a message of the target's first-parent line may have a trailer.
func (n *near) hasTrailer(key string) (bool, error) {
	for id := n.tip; ; {
		text, err := n.Message(id)
		if err != nil || strings.Contains(text, key+": ") {
			return true, err
		}
		h, err := n.Commit(id)
		if err != nil || len(h.Parents) == 0 {
			return false, err
		}
		id = h.Parents[0]
	}
}

// filesOf is that of the Judge.
func (n *near) filesOf(path string, commits [3]string) (files [3]git.Blob, err error) {
	if n == nil || !git.ValidPath(path) {
		return files, errNotNear
	}
	var ids [3]git.Hash
	for i, commit := range commits {
		if ids[i], err = n.fileID(n.hash(commit), path); err != nil {
			return files, err
		}
	}
	for i, id := range ids {
		if id.IsZero() {
			continue
		}
		files[i].ID = n.hex(id)
		if ids[1] == ids[2] {
			continue
		}
		if files[i].Data, err = n.blob(id); err != nil {
			return files, err
		}
	}
	return files, nil
}

// read returns the content of a file of a commit, nothing where there is none.
func (n *near) read(commit, path string) ([]byte, error) {
	if n == nil || !git.ValidPath(path) {
		return nil, errNotNear
	}
	id, err := n.fileID(n.hash(commit), path)
	if err != nil || id.IsZero() {
		return nil, err
	}
	return n.blob(id)
}

func (n *near) blob(id git.Hash) ([]byte, error) {
	data, err := n.Blob(id)
	return bytes.Clone(data), err
}

// fileID returns the id of a file of a commit, the zero hash where there is none.
func (n *near) fileID(commit git.Hash, path string) (id git.Hash, err error) {
	h, err := n.Commit(commit)
	if err != nil {
		return id, err
	}
	e, err := n.Entry(h.Tree, path)
	switch {
	case err != nil, len(e.ID) == 0, e.IsTree():
		return id, err
	case !e.IsFile() && !e.IsLink():
		return id, errNotNear
	}
	return e.Hash(), nil
}
