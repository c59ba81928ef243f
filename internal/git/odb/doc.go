// Package odb reads what git has stored, at the speed of the disk: packs with their indexes, multi-pack-indexes, loose
// objects, alternates, and the commit-graph with its Bloom filters; sha1 and sha256. It never writes.
//
// Packs are mapped into memory and objects handed out as raw bytes, so a walk through a hundred thousand commits makes
// little garbage. A Store knows the files and may be shared; each goroutine reads through a Reader of its own, which has
// the room for unpacking and remembers the bases of deltas.
//
// A damaged file is ErrCorrupt, never a panic: all places are checked against the file's end. As when git reads, the
// checksum of what was compressed is checked, and content is not hashed again.
package odb

import "errors"

// Errors of reading.
var (
	// ErrMissing: no pack and no file holds the object.
	ErrMissing = errors.New("object is missing")
	// ErrCorrupt: a file is not what its format says.
	ErrCorrupt = errors.New("object store is corrupt")
	// ErrUnsupported: a file has a version, or a size, that this package does not read.
	ErrUnsupported = errors.New("object store is of an unknown kind")
)

// Hash is an object id in binary. Ids of sha1 use the first 20 bytes, the rest is zero.
type Hash [32]byte

// IsZero tells that there is no object.
func (h Hash) IsZero() bool { return h == Hash{} }

// hashOf takes an id from the start of b.
func hashOf(b []byte, size int) (h Hash) {
	copy(h[:], b[:size])
	return h
}

// Kind is the type of an object, as packs number them.
type Kind uint8

// The kinds of objects, and the two ways in which a pack stores a difference.
const (
	Commit Kind = 1
	Tree   Kind = 2
	Blob   Kind = 3
	Tag    Kind = 4

	offsetDelta Kind = 6
	idDelta     Kind = 7
)

// kindOf reads a kind's name.
func kindOf(name string) (Kind, bool) {
	switch name {
	case "commit":
		return Commit, true
	case "tree":
		return Tree, true
	case "blob":
		return Blob, true
	case "tag":
		return Tag, true
	}
	return 0, false
}
