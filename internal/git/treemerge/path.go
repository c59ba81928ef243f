package treemerge

import (
	"encoding/hex"
	"strings"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/odb"
)

// modeTree is the mode of a directory.
const modeTree = "40000"

// Entry returns a tree's entry at a path; not ok if there is none.
func (t *Trees) Entry(tree, path string) (e odb.TreeEntry, ok bool, err error) {
	for {
		name, rest, below := strings.Cut(path, "/")
		data, err := t.Data(tree)
		if err != nil {
			return e, false, err
		}
		e, ok, err = odb.FindEntry(data, name, t.repo.IDSize())
		if !ok || !below || err != nil {
			return e, ok, err
		}
		if !e.IsTree() {
			return odb.TreeEntry{}, false, nil
		}
		tree, path = hex.EncodeToString(e.ID), rest
	}
}

// With returns the tree with an entry at a path, in place of what was there. The directories above it are made as needed.
func (t *Trees) With(tree, path, mode, id string) (string, error) {
	data, err := t.Data(tree)
	if err != nil {
		return "", err
	}
	name, rest, below := strings.Cut(path, "/")
	if below {
		sub := ""
		if e, ok, _ := odb.FindEntry(data, name, t.repo.IDSize()); ok && e.IsTree() {
			sub = hex.EncodeToString(e.ID)
		}
		if id, err = t.With(sub, rest, mode, id); err != nil {
			return "", err
		}
		mode = modeTree
	}
	raw, err := hex.DecodeString(id)
	if err != nil {
		return "", err
	}
	return t.add(commit.WithEntry(data, odb.TreeEntry{Mode: []byte(mode), Name: []byte(name), ID: raw})), nil
}
