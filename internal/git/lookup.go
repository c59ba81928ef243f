package git

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"git-ralph/internal/git/odb"
)

// objects are where a lookup reads folders. The data is valid until the next call. The errors are odb.ErrMissing, and
// whatever ends the walk.
type objects interface {
	Object(id *Hash) (odb.Kind, []byte, error)
}

// lookup finds what stands at paths, given a root folder. Folders that it has seen are not read again. It is for one
// goroutine.
type lookup struct {
	objects objects
	size    int
	paths   [][]string // by their parts
	roots   []answer   // by a few bits of the root's id: the last answer
	folders map[folder]answer
}

// answer is what stands at the paths below a folder: the first that is there.
type answer struct {
	tree  Hash // the root that it is the answer for
	id    Hash
	path  uint8
	blind bool
}

// folder is one below the root, on the way to a path.
type folder struct {
	id    Hash
	path  uint8
	depth uint8
}

const (
	rememberedRoots   = 1 << 10
	rememberedFolders = 1 << 14
)

func newLookup(objects objects, size int, paths []string) *lookup {
	l := &lookup{objects: objects, size: size, roots: make([]answer, rememberedRoots), folders: map[folder]answer{}}
	for _, path := range paths {
		l.paths = append(l.paths, strings.Split(path, "/"))
	}
	return l
}

// resolve puts what the path holds in the place of the node's root folder.
func (l *lookup) resolve(n *node) error {
	known := &l.roots[binary.LittleEndian.Uint16(n.at[:])%rememberedRoots]
	if known.tree != n.at || n.at.IsZero() {
		a, err := l.first(n.at)
		if err != nil {
			return fmt.Errorf("commit %x: %w", n.id[:l.size], err)
		}
		*known = a
	}
	n.settle(*known)
	return nil
}

// settle notes what stands at the path.
func (n *node) settle(a answer) { n.at, n.path, n.blind = a.id, a.path, a.blind }

// first looks for each path in turn.
func (l *lookup) first(root Hash) (answer, error) {
	for i := range l.paths {
		a, err := l.below(folder{root, uint8(i), 0})
		if err != nil || !a.id.IsZero() || a.blind {
			a.tree = root
			return a, err
		}
	}
	return answer{tree: root}, nil
}

// below looks for the rest of a path in a folder.
func (l *lookup) below(f folder) (answer, error) {
	kind, data, err := l.objects.Object(&f.id)
	if errors.Is(err, odb.ErrMissing) {
		return answer{path: f.path, blind: true}, nil
	}
	if err == nil && kind != odb.Tree {
		err = odb.ErrCorrupt
	}
	if err != nil {
		return answer{}, err
	}
	parts := l.paths[f.path]
	mode, id, ok, err := odb.Entry(data, parts[f.depth], l.size)
	last := int(f.depth) == len(parts)-1
	switch {
	case err != nil:
		return answer{}, err
	case !ok || last && !isBlobMode(mode) || !last && mode != folderMode:
		return answer{}, nil
	case last:
		return answer{id: id, path: f.path}, nil
	}
	return l.remembered(folder{id, f.path, f.depth + 1})
}

// remembered is below for a folder that many commits share.
func (l *lookup) remembered(f folder) (answer, error) {
	if a, ok := l.folders[f]; ok {
		return a, nil
	}
	a, err := l.below(f)
	if err != nil {
		return a, err
	}
	if len(l.folders) == rememberedFolders {
		clear(l.folders)
	}
	l.folders[f] = a
	return a, nil
}

// Modes of tree entries, as numbers.
const (
	folderMode = 0o40000
	kindOfMode = 0o170000
	linkMode   = 0o120000
	blobMode   = 0o100000
)

// isBlobMode tells whether the entry is a file or a symbolic link.
func isBlobMode(mode uint32) bool { return mode&kindOfMode == blobMode || mode&kindOfMode == linkMode }
