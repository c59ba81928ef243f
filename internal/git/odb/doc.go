// Package odb reads what git has stored, at the speed of the disk: packs with their indexes, multi-pack-indexes, loose
// objects, alternates, and the commit-graph with its Bloom filters; sha1 and sha256. It never writes.
//
// Packs are mapped into memory and objects handed out as raw bytes, so a walk through a hundred thousand commits makes
// little garbage. A Store knows the files and may be shared; each goroutine reads through a Reader of its own, which has
// the room for unpacking and remembers the bases of deltas.
//
// go-git is not used: it parses and hashes every pack index when it first reads (180 ms where git takes 5), allocates each
// entry of a tree, and its commit type links openpgp, which makes every start slower.
//
// A damaged file is ErrCorrupt, never a panic: all offsets are checked against the file's end. As when git reads, the
// checksum of what was compressed is checked, and content is not hashed again.
package odb

import "errors"

// Errors of reading.
var (
	// ErrMissing: no pack and no file holds the object.
	ErrMissing = errors.New("object is missing")
	// ErrCorrupt: a file does not follow its format.
	ErrCorrupt = errors.New("object store is corrupt")
	// ErrUnsupported: a file has a version, or a size, that this package does not read.
	ErrUnsupported = errors.New("object store is of an unknown kind")
)

// Hash is an object id in binary. Ids of sha1 use the first 20 bytes, the rest is zero.
type Hash [32]byte

// IsZero reports whether h is the zero hash, which stands for no object.
func (h Hash) IsZero() bool { return h == Hash{} }

// hashOf takes an id from the start of b.
func hashOf(b []byte, size int) (h Hash) {
	copy(h[:], b[:size])
	return h
}

// Kind is the type of an object, as packs number them.
type Kind uint8

// The kinds of objects, and the two ways in which a pack stores a delta.
const (
	Commit Kind = 1
	Tree   Kind = 2
	Blob   Kind = 3
	Tag    Kind = 4

	offsetDelta Kind = 6
	idDelta     Kind = 7
)

// String returns the name of the kind in loose objects, "" for a delta.
func (k Kind) String() string {
	if k > Tag {
		return ""
	}
	return [...]string{Commit: "commit", Tree: "tree", Blob: "blob", Tag: "tag"}[k]
}

// kindOf returns the kind of a name.
func kindOf(name string) (Kind, bool) {
	for k := Commit; k <= Tag; k++ {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}
