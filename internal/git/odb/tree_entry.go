package odb

import "bytes"

// TreeEntry is one line of a tree object. It shares the object's bytes.
type TreeEntry struct {
	Mode, Name []byte
	ID         []byte // binary
}

// Hash returns the id.
func (e TreeEntry) Hash() Hash { return hashOf(e.ID, len(e.ID)) }

// IsTree reports whether the entry is a directory. Some programs have written modes with a zero in front.
func (e TreeEntry) IsTree() bool { return string(bytes.TrimLeft(e.Mode, "0")) == "40000" }

// IsFile leaves out symbolic links and submodules.
func (e TreeEntry) IsFile() bool { return bytes.HasPrefix(e.Mode, []byte("100")) }

// IsLink reports whether the entry is a symbolic link.
func (e TreeEntry) IsLink() bool { return bytes.HasPrefix(e.Mode, []byte("120")) }

// NextEntry takes the first entry off a tree object, whose ids have a size; not ok where the tree is broken.
func NextEntry(tree []byte, size int) (e TreeEntry, rest []byte, ok bool) {
	end := bytes.IndexByte(tree, 0)
	if end < 0 || len(tree) < end+1+size {
		return e, nil, false
	}
	e.Mode, e.Name, ok = bytes.Cut(tree[:end], []byte(" "))
	e.ID = tree[end+1:][:size]
	return e, tree[end+1+size:], ok
}

// FindEntry returns what a tree object holds under a name; ok is false where there is nothing. The error is ErrCorrupt.
func FindEntry(tree []byte, name string, size int) (e TreeEntry, ok bool, err error) {
	for len(tree) > 0 {
		end := bytes.IndexByte(tree, 0)
		if end < 0 || len(tree) < end+1+size {
			return e, false, ErrCorrupt
		}
		if at := end - len(name); at > 0 && string(tree[at:end]) == name && bytes.IndexByte(tree, ' ') == at-1 { // a name may have blanks
			e, _, ok = NextEntry(tree, size)
			return e, ok, nil
		}
		tree = tree[end+1+size:]
	}
	return e, false, nil
}
