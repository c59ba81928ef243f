package commit

import (
	"bytes"

	"git-ralph/internal/git/odb"
)

// Modes of tree and index entries.
const (
	modeFile      = "100644"
	modeProgram   = "100755"
	modeTree      = "40000"
	modeSubmodule = "160000"
)

// WithEntry returns the tree with e in place of the entry of that name, or added in git's order.
func WithEntry(tree []byte, e odb.TreeEntry) []byte {
	out := make([]byte, 0, len(tree)+len(e.Mode)+len(e.Name)+2+len(e.ID))
	placed := false
	for rest := tree; len(rest) > 0; {
		old, next, ok := odb.NextEntry(rest, len(e.ID))
		if !ok {
			break
		}
		if !placed && !before(old, e) {
			out, placed = appendEntry(out, e), true
		}
		if !bytes.Equal(old.Name, e.Name) {
			out = append(out, rest[:len(rest)-len(next)]...)
		}
		rest = next
	}
	if !placed {
		out = appendEntry(out, e)
	}
	return out
}

// before reports whether a sorts before b: by name, as if the name of a directory ended in a slash.
func before(a, b odb.TreeEntry) bool {
	return !bytes.Equal(a.Name, b.Name) && bytes.Compare(sortName(a), sortName(b)) < 0
}

func sortName(e odb.TreeEntry) []byte {
	if e.IsTree() {
		return append(e.Name[:len(e.Name):len(e.Name)], '/')
	}
	return e.Name
}

func appendEntry(out []byte, e odb.TreeEntry) []byte {
	out = append(append(out, e.Mode...), ' ')
	out = append(append(out, e.Name...), 0)
	return append(out, e.ID...)
}

// WithoutEntry returns the tree without the entry of a name.
func WithoutEntry(tree []byte, name string, idSize int) []byte {
	for rest := tree; len(rest) > 0; {
		e, next, ok := odb.NextEntry(rest, idSize)
		if !ok {
			break
		}
		if string(e.Name) == name {
			return append(append(make([]byte, 0, len(tree)), tree[:len(tree)-len(rest)]...), next...)
		}
		rest = next
	}
	return tree
}
