package walk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/odb"
)

// objects are where a pathLookup reads directories. The data is valid until the next call. The errors are odb.ErrMissing, and
// whatever ends the walk.
type objects interface {
	Object(id *git.Hash) (odb.Kind, []byte, error)
}

// pathLookup finds what stands at paths, given a root directory. Directories that it has seen are not read again. It is for one
// goroutine.
type pathLookup struct {
	objects     objects
	size        int
	paths       [][]string // by their parts
	roots       []answer   // by a few bits of the root's id: the last answer
	directories map[directory]answer
}

// answer is what stands at the paths below a directory: the first that is there.
type answer struct {
	tree    git.Hash // the root that it is the answer for
	id      git.Hash
	path    uint8
	missing bool
}

// directory is one below the root, on the way to a path.
type directory struct {
	id    git.Hash
	path  uint8
	depth uint8
}

const (
	rememberedRoots       = 1 << 10
	rememberedDirectories = 1 << 14
)

func newPathLookup(objects objects, size int, paths []string) *pathLookup {
	l := &pathLookup{objects: objects, size: size, roots: make([]answer, rememberedRoots), directories: map[directory]answer{}}
	for _, path := range paths {
		l.paths = append(l.paths, strings.Split(path, "/"))
	}
	return l
}

// resolve replaces a node's root directory by what stands at the path.
func (l *pathLookup) resolve(n *node) error {
	known := &l.roots[binary.LittleEndian.Uint16(n.at[:])%rememberedRoots]
	if known.tree != n.at || n.at.IsZero() {
		a, err := l.first(n.at)
		if err != nil {
			return fmt.Errorf("commit %x: %w", n.id[:l.size], err)
		}
		*known = a
	}
	n.set(*known)
	return nil
}

// set sets what stands at the path.
func (n *node) set(a answer) { n.at, n.path, n.missing = a.id, a.path, a.missing }

// first looks for each path in turn.
func (l *pathLookup) first(root git.Hash) (answer, error) {
	for i := range l.paths {
		a, err := l.below(directory{root, uint8(i), 0})
		if err != nil || !a.id.IsZero() || a.missing {
			a.tree = root
			return a, err
		}
	}
	return answer{tree: root}, nil
}

// below looks for the rest of a path in a directory.
func (l *pathLookup) below(d directory) (answer, error) {
	kind, data, err := l.objects.Object(&d.id)
	if errors.Is(err, odb.ErrMissing) {
		return answer{path: d.path, missing: true}, nil
	}
	if err == nil && kind != odb.Tree {
		err = odb.ErrCorrupt
	}
	if err != nil {
		return answer{}, err
	}
	parts := l.paths[d.path]
	e, ok, err := odb.FindEntry(data, parts[d.depth], l.size)
	last := int(d.depth) == len(parts)-1
	switch {
	case err != nil:
		return answer{}, err
	case !ok || last && !e.IsFile() && !e.IsLink() || !last && !e.IsTree():
		return answer{}, nil
	case last:
		return answer{id: e.Hash(), path: d.path}, nil
	}
	return l.remembered(directory{e.Hash(), d.path, d.depth + 1})
}

// remembered is below for a directory that many commits share.
func (l *pathLookup) remembered(d directory) (answer, error) {
	if a, ok := l.directories[d]; ok {
		return a, nil
	}
	a, err := l.below(d)
	if err != nil {
		return a, err
	}
	if len(l.directories) == rememberedDirectories {
		clear(l.directories)
	}
	l.directories[d] = a
	return a, nil
}
