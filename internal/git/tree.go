package git

import (
	"bytes"
	"strings"
)

// Modes of tree and index entries.
const (
	modeFile      = "100644"
	modeProgram   = "100755"
	modeTree      = "40000"
	modeSubmodule = "160000"
)

// treeEntry is one line of a tree object.
type treeEntry struct {
	mode, name string
	id         []byte // binary
}

func (e treeEntry) isTree() bool { return e.mode == modeTree }

// isFile leaves out symbolic links and submodules.
func (e treeEntry) isFile() bool { return strings.HasPrefix(e.mode, "100") }

// nextEntry takes the first entry off a tree object; not ok means that none is left or that the tree is broken.
func nextEntry(data []byte, idSize int) (e treeEntry, rest []byte, ok bool) {
	space := bytes.IndexByte(data, ' ')
	if space < 0 {
		return e, nil, false
	}
	end := bytes.IndexByte(data[space:], 0)
	if end < 0 || len(data) < space+end+1+idSize {
		return e, nil, false
	}
	end += space
	e = treeEntry{mode: string(data[:space]), name: string(data[space+1 : end]), id: data[end+1 : end+1+idSize]}
	return e, data[end+1+idSize:], true
}

func findEntry(tree []byte, name string, idSize int) (treeEntry, bool) {
	for {
		e, rest, ok := nextEntry(tree, idSize)
		if !ok || e.name == name {
			return e, ok
		}
		tree = rest
	}
}

// withEntry gives the tree with the entry e in place of the one of its name, or added in git's order.
func withEntry(tree []byte, e treeEntry) []byte {
	out := make([]byte, 0, len(tree)+len(e.mode)+len(e.name)+2+len(e.id))
	placed := false
	for rest := tree; len(rest) > 0; {
		old, next, ok := nextEntry(rest, len(e.id))
		if !ok {
			break
		}
		if !placed && !before(old, e) {
			out, placed = appendEntry(out, e), true
		}
		if old.name != e.name {
			out = append(out, rest[:len(rest)-len(next)]...)
		}
		rest = next
	}
	if !placed {
		out = appendEntry(out, e)
	}
	return out
}

// before tells whether a stands before b: by name, a folder's as if it ended in a slash.
func before(a, b treeEntry) bool {
	return a.name != b.name && strings.Compare(sortName(a), sortName(b)) < 0
}

func sortName(e treeEntry) string {
	if e.isTree() {
		return e.name + "/"
	}
	return e.name
}

func appendEntry(out []byte, e treeEntry) []byte {
	out = append(append(out, e.mode...), ' ')
	out = append(append(out, e.name...), 0)
	return append(out, e.id...)
}
