package walk

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/odb"
)

// Objects reads single commits, trees and files in this process. It is not safe for concurrent use.
type Objects struct {
	engine  *odbWalker
	commits map[git.Hash]*odb.CommitHeader
	trees   map[git.Hash][]byte
}

// maxTrees is how many trees are remembered.
const maxTrees = 1 << 12

// OpenObjects opens the object store. It is not ok where the commit objects alone do not say what the history is.
func OpenObjects(ctx context.Context, r *git.Repo) (o *Objects, ok bool) {
	if !r.PlainHistory() {
		return nil, false
	}
	engine := &odbWalker{repo: r, ctx: ctx}
	if engine.open() != nil {
		return nil, false
	}
	return &Objects{engine: engine, commits: map[git.Hash]*odb.CommitHeader{}, trees: map[git.Hash][]byte{}}, true
}

// Close closes files.
func (o *Objects) Close() error { return o.engine.Close() }

// Commit returns the tree, parents and time of a commit, which are not to be changed.
func (o *Objects) Commit(id git.Hash) (*odb.CommitHeader, error) {
	if h := o.commits[id]; h != nil {
		return h, nil
	}
	h, err := o.inGraph(id)
	if h == nil && err == nil {
		h = &odb.CommitHeader{}
		var data []byte
		if data, err = o.data(odb.Commit, id); err == nil {
			err = odb.ParseCommit(data, o.engine.repo.IDSize(), h)
		}
	}
	if err != nil {
		return nil, err
	}
	o.commits[id] = h
	return h, nil
}

// inGraph reads a commit from the commit-graph, nil where that has none.
func (o *Objects) inGraph(id git.Hash) (*odb.CommitHeader, error) {
	graph := o.engine.graph
	if graph == nil {
		return nil, nil
	}
	at, ok := graph.Find(&id)
	if !ok {
		return nil, nil
	}
	tree, parents, time, err := graph.Commit(at, nil)
	if err != nil {
		return nil, err
	}
	h := &odb.CommitHeader{Tree: tree, Time: time}
	for _, p := range parents {
		h.Parents = append(h.Parents, graph.ID(int(p)))
	}
	return h, nil
}

// Message returns the text of a commit's object.
func (o *Objects) Message(id git.Hash) (string, error) {
	data, err := o.data(odb.Commit, id)
	_, text, _ := bytes.Cut(data, []byte("\n\n"))
	return string(text), err
}

// Blob returns the content of a file; it is valid until the next call.
func (o *Objects) Blob(id git.Hash) ([]byte, error) { return o.data(odb.Blob, id) }

func (o *Objects) data(kind odb.Kind, id git.Hash) ([]byte, error) {
	is, data, err := o.engine.reader(0).Object(&id)
	if err == nil && is != kind {
		err = fmt.Errorf("%x is a %s: want a %s", id[:o.engine.repo.IDSize()], is, kind)
	}
	return data, err
}

// tree returns the object of a tree; nothing for the zero hash.
func (o *Objects) tree(id git.Hash) ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	if data, known := o.trees[id]; known {
		return data, nil
	}
	data, err := o.data(odb.Tree, id)
	if err != nil {
		return nil, err
	}
	if len(o.trees) >= maxTrees {
		clear(o.trees)
	}
	data = bytes.Clone(data)
	o.trees[id] = data
	return data, nil
}

// Entry returns what a tree holds at a path; a zero entry for nothing.
func (o *Objects) Entry(tree git.Hash, path string) (odb.TreeEntry, error) {
	for {
		name, rest, below := strings.Cut(path, "/")
		data, err := o.tree(tree)
		if err != nil {
			return odb.TreeEntry{}, err
		}
		e, ok, err := odb.FindEntry(data, name, o.engine.repo.IDSize())
		if err != nil || !ok || below && !e.IsTree() {
			return odb.TreeEntry{}, err
		}
		if !below {
			return e, nil
		}
		tree, path = e.Hash(), rest
	}
}

// Changed returns the paths at which two trees differ, as `git diff-tree -r --name-only --no-renames` lists them, but for the order.
func (o *Objects) Changed(before, after git.Hash) ([]string, error) {
	return o.changedIn("", before, after, nil)
}

func (o *Objects) changedIn(dir string, before, after git.Hash, paths []string) ([]string, error) {
	if before == after {
		return paths, nil
	}
	old, err := o.entries(before)
	if err != nil {
		return nil, err
	}
	now, err := o.entries(after)
	if err != nil {
		return nil, err
	}
	for name, e := range now {
		if paths, err = o.changedEntry(dir+name, old[name], e, paths); err != nil {
			return nil, err
		}
	}
	for name, e := range old {
		if _, there := now[name]; there {
			continue
		}
		if paths, err = o.changedEntry(dir+name, e, odb.TreeEntry{}, paths); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// changedEntry appends what differs between two entries of one name.
func (o *Objects) changedEntry(path string, before, after odb.TreeEntry, paths []string) ([]string, error) {
	if bytes.Equal(before.ID, after.ID) && bytes.Equal(before.Mode, after.Mode) {
		return paths, nil
	}
	if len(before.ID) > 0 && !before.IsTree() || len(after.ID) > 0 && !after.IsTree() {
		paths = append(paths, path)
	}
	return o.changedIn(path+"/", directoryOf(before), directoryOf(after), paths)
}

// directoryOf returns the id of a directory, the zero hash for anything else.
func directoryOf(e odb.TreeEntry) (id git.Hash) {
	if e.IsTree() {
		return e.Hash()
	}
	return id
}

// entries returns the entries of a tree by name.
func (o *Objects) entries(tree git.Hash) (map[string]odb.TreeEntry, error) {
	data, err := o.tree(tree)
	all := map[string]odb.TreeEntry{}
	for len(data) > 0 && err == nil {
		e, rest, ok := odb.NextEntry(data, o.engine.repo.IDSize())
		if !ok {
			return nil, odb.ErrCorrupt
		}
		all[string(e.Name)], data = e, rest
	}
	return all, err
}

// Changes reports whether a commit that is no merge differs from its parent at one of some paths.
func (o *Objects) Changes(h *odb.CommitHeader, paths []string) (bool, error) {
	var before git.Hash
	if len(h.Parents) > 0 {
		parent, err := o.Commit(h.Parents[0])
		if err != nil {
			return false, err
		}
		before = parent.Tree
	}
	var failed error
	changes := slices.ContainsFunc(paths, func(path string) bool {
		old, err := o.Entry(before, path)
		now, err2 := o.Entry(h.Tree, path)
		if err != nil || err2 != nil {
			failed = fmt.Errorf("%s: %w", path, odb.ErrMissing)
		}
		return failed != nil || !bytes.Equal(old.ID, now.ID) || !bytes.Equal(old.Mode, now.Mode)
	})
	return changes, failed
}
