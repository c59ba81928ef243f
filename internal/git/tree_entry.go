package git

import (
	"bytes"
	"strings"
)

// Modes of tree and index entries.
const (
	ModeFile      = "100644"
	ModeProgram   = "100755"
	ModeTree      = "40000"
	ModeSubmodule = "160000"
)

// TreeEntry is one line of a tree object.
type TreeEntry struct {
	Mode, Name string
	ID         []byte // binary
}

func (e TreeEntry) IsTree() bool { return e.Mode == ModeTree }

// IsFile leaves out symbolic links and submodules.
func (e TreeEntry) IsFile() bool { return strings.HasPrefix(e.Mode, "100") }

// NextEntry takes the first entry off a tree object; not ok means that none is left or that the tree is broken.
func NextEntry(data []byte, idSize int) (e TreeEntry, rest []byte, ok bool) {
	space := bytes.IndexByte(data, ' ')
	if space < 0 {
		return e, nil, false
	}
	end := bytes.IndexByte(data[space:], 0)
	if end < 0 || len(data) < space+end+1+idSize {
		return e, nil, false
	}
	end += space
	e = TreeEntry{Mode: string(data[:space]), Name: string(data[space+1 : end]), ID: data[end+1 : end+1+idSize]}
	return e, data[end+1+idSize:], true
}

func FindEntry(tree []byte, name string, idSize int) (TreeEntry, bool) {
	for {
		e, rest, ok := NextEntry(tree, idSize)
		if !ok || e.Name == name {
			return e, ok
		}
		tree = rest
	}
}
