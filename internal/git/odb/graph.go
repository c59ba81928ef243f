package odb

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/mmap"
)

// Graph is the commit-graph: tree, parents and date of most commits in one file, or in a chain of files each of which
// builds on those before it. Commits have positions, from 0 on, through the whole chain.
type Graph struct {
	size   int
	layers []*layer
	n      int
}

// layer is one file of the chain.
type layer struct {
	data    mmap.Data
	below   int // commits in the layers under it
	ids     idTable
	commits []byte
	edges   []byte // parents of octopus merges
	bloom   bloom
}

// Graph opens the commit-graph of the store; nil where there is none. A damaged one is ErrCorrupt; git goes on without
// it, and so may the caller.
func (s *Store) Graph() (*Graph, error) {
	for _, dir := range s.dirs {
		g, err := openGraph(filepath.Join(dir, "info"), s.dirs, s.size)
		if g != nil || err != nil {
			return g, err
		}
	}
	return nil, nil
}

func openGraph(info string, dirs []string, size int) (*Graph, error) {
	g := &Graph{size: size}
	err := g.add(filepath.Join(info, "commit-graph"))
	if errors.Is(err, fs.ErrNotExist) {
		err = g.addChain(filepath.Join(info, "commit-graphs", "commit-graph-chain"), dirs)
	}
	if err != nil {
		g.Close()
		return nil, err
	}
	if g.n == 0 {
		return nil, nil
	}
	return g, nil
}

// addChain adds the files that a chain names, the lowest first. They may lie in one of its alternates.
func (g *Graph) addChain(chain string, dirs []string) error {
	text, err := os.ReadFile(chain)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for name := range strings.Lines(string(text)) {
		name = strings.TrimSuffix(name, "\n")
		if id, err := hex.DecodeString(name); err != nil || len(id) != g.size {
			return fmt.Errorf("%s: %w", chain, ErrCorrupt)
		}
		err := fs.ErrNotExist
		for _, dir := range dirs {
			if errors.Is(err, fs.ErrNotExist) {
				err = g.add(filepath.Join(dir, "info", "commit-graphs", "graph-"+name+".graph"))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add puts a file on top of the chain.
func (g *Graph) add(path string) error {
	data, err := mapFile(path)
	if err != nil {
		return err
	}
	l, err := parseLayer(data, g.size, len(g.layers))
	if err != nil {
		data.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	l.below = g.n
	g.n += l.ids.n
	g.layers = append(g.layers, l)
	return nil
}

func parseLayer(data []byte, size, under int) (*layer, error) {
	if len(data) < 8+size || string(data[:4]) != "CGPH" {
		return nil, ErrCorrupt
	}
	if data[4] != 1 || data[5] != hashVersion(size) {
		return nil, ErrUnsupported
	}
	chunks, ok := readChunks(data[:len(data)-size], 8, int(data[6]))
	if !ok || int(data[7]) != under {
		return nil, ErrCorrupt
	}
	l := &layer{data: data, commits: chunks["CDAT"], edges: chunks["EDGE"]}
	l.ids, ok = newIDTable(chunks["OIDF"], chunks["OIDL"], size, size)
	if !ok || len(l.commits)/(size+16) < l.ids.n {
		return nil, ErrCorrupt
	}
	l.bloom = parseBloom(chunks["BIDX"], chunks["BDAT"], l.ids.n)
	return l, nil
}

// Close closes the files.
func (g *Graph) Close() {
	for _, l := range g.layers {
		l.data.Close()
	}
}

// Len returns the number of commits.
func (g *Graph) Len() int { return g.n }

// Find returns the position of a commit.
func (g *Graph) Find(id *Hash) (int, bool) {
	for _, l := range g.layers {
		if i, ok := l.ids.find(id); ok {
			return l.below + i, true
		}
	}
	return 0, false
}

// layer returns the file that holds a position, and the place in it.
func (g *Graph) layer(position int) (*layer, int) {
	i := len(g.layers) - 1
	for g.layers[i].below > position {
		i--
	}
	return g.layers[i], position - g.layers[i].below
}

// ID returns the id of the commit at a position.
func (g *Graph) ID(position int) Hash {
	l, i := g.layer(position)
	return hashOf(l.ids.id(i), g.size)
}

// How the file encodes parents.
const (
	noParent  = 0x70000000
	manyEdges = 1 << 31 // the second parent and those after it are listed elsewhere
	lastEdge  = 1 << 31
	timeBits  = 34
	maxParent = 1 << 20 // of one commit; more would be a loop
)

// Commit reads the commit at a position. The positions of its parents are appended to parents. The error is ErrCorrupt.
func (g *Graph) Commit(position int, parents []int32) (tree Hash, _ []int32, time int64, err error) {
	l, i := g.layer(position)
	row := l.commits[i*(g.size+16):][:g.size+16]
	tree = hashOf(row, g.size)
	row = row[g.size:]
	time = int64(binary.BigEndian.Uint64(row[8:]) & (1<<timeBits - 1))
	first, second := binary.BigEndian.Uint32(row), binary.BigEndian.Uint32(row[4:])
	ok := true
	if first != noParent {
		parents, ok = g.parent(parents, first)
	}
	switch {
	case second == noParent:
	case second&manyEdges == 0:
		var fine bool
		parents, fine = g.parent(parents, second)
		ok = ok && fine
	default:
		var fine bool
		parents, fine = g.edges(l, parents, int(second&^manyEdges))
		ok = ok && fine
	}
	if !ok {
		return tree, parents, time, fmt.Errorf("commit-graph, commit %d: %w", position, ErrCorrupt)
	}
	return tree, parents, time, nil
}

func (g *Graph) parent(parents []int32, position uint32) ([]int32, bool) {
	return append(parents, int32(position)), position < uint32(g.n)
}

// edges reads the parents of an octopus, from the second on.
func (g *Graph) edges(l *layer, parents []int32, at int) ([]int32, bool) {
	for range maxParent {
		if at < 0 || at >= len(l.edges)/4 {
			return parents, false
		}
		edge := binary.BigEndian.Uint32(l.edges[4*at:])
		at++
		var ok bool
		if parents, ok = g.parent(parents, edge&^lastEdge); !ok || edge&lastEdge != 0 {
			return parents, ok
		}
	}
	return parents, false
}

// MayChange reports whether the commit at a position may differ from its first parent (a root commit: from nothing) in one
// of the paths. Only false is certain.
func (g *Graph) MayChange(position int, keys []PathKeys) bool {
	l, i := g.layer(position)
	return l.bloom.mayChange(i, keys)
}

// HasFilters reports whether any file of the chain has Bloom filters.
func (g *Graph) HasFilters() bool {
	for _, l := range g.layers {
		if l.bloom.ends != nil {
			return true
		}
	}
	return false
}
