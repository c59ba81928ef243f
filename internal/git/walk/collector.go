package walk

import (
	"bytes"
	"encoding/binary"
	"slices"

	"git-ralph/internal/git"
)

// node is a commit while a walk is under way. Nodes do not move in memory.
type node struct {
	id       git.Hash
	at       git.Hash // the root directory, later what stands at the path
	time     int64
	from, to int32 // where its parents stand among all links
	number   int32 // its own, in order of discovery
	place    int32 // in Graph.Commits, or -1-m for Graph.Missing[m], once known
	graph    int32 // position in the commit-graph, -1 for none
	path     uint8
	met      bool // by the walk, which else only knows of it
	listed   bool // it is part of the walk; else, when met, at its boundary
	missing  bool
	same     bool // the path holds what it holds in the first parent
}

// before is the order in which commits are reported as far as ancestry leaves it open: newest first.
func (n *node) before(m *node) bool { return newer(n.time, &n.id, m.time, &m.id) }

// collector gathers the nodes of a walk and turns them into a Graph.
type collector struct {
	size   int
	chunks [][]node
	n      int32
	links  []int32 // parents: numbers of nodes
	table  []int32 // by hash: 1 + the number of a node; 0 is free
	filled int
}

const (
	chunkBits  = 10
	firstTable = 1 << 12
)

func (c *collector) node(number int32) *node {
	return &c.chunks[number>>chunkBits][number&(1<<chunkBits-1)]
}

// add makes a node.
func (c *collector) add(id *git.Hash) *node {
	last := len(c.chunks) - 1
	if last < 0 || len(c.chunks[last]) == 1<<chunkBits {
		c.chunks = append(c.chunks, make([]node, 0, 1<<chunkBits))
		last++
	}
	chunk := append(c.chunks[last], node{id: *id, number: c.n, graph: -1})
	c.chunks[last] = chunk
	c.n++
	return &chunk[len(chunk)-1]
}

// find returns the node of an id, and whether it was made just now.
func (c *collector) find(id *git.Hash) (n *node, fresh bool) {
	if 2*c.filled >= len(c.table) {
		c.grow()
	}
	slot := c.slot(id)
	if number := c.table[slot]; number != 0 {
		return c.node(number - 1), false
	}
	n = c.add(id)
	c.table[slot] = n.number + 1
	c.filled++
	return n, true
}

// slot returns the place of an id in the table, or the free one where it belongs. Ids are evenly spread as they are.
func (c *collector) slot(id *git.Hash) int {
	mask := len(c.table) - 1
	for i := int(binary.LittleEndian.Uint64(id[4:])) & mask; ; i = (i + 1) & mask {
		if number := c.table[i]; number == 0 || c.node(number-1).id == *id {
			return i
		}
	}
}

func (c *collector) grow() {
	old := c.table
	c.table = make([]int32, max(firstTable, 2*len(old)))
	for _, number := range old {
		if number != 0 {
			c.table[c.slot(&c.node(number-1).id)] = number
		}
	}
}

// room allocates the links of a node to its parents.
func (c *collector) room(n *node, parents int) []int32 {
	n.from = int32(len(c.links))
	n.to = n.from + int32(parents)
	c.links = slices.Grow(c.links, parents)[:n.to]
	return c.parents(n)
}

// parents returns the numbers of a node's parents.
func (c *collector) parents(n *node) []int32 { return c.links[n.from:n.to] }

// result makes a graph of the listed nodes. Order is an order that may be the right one already; nil for none.
func (c *collector) result(order []int32) *Graph {
	known := order != nil
	for number := range c.n {
		if !known && c.node(number).listed {
			order = append(order, number)
		}
	}
	g := &Graph{IDSize: c.size, Commits: make([]Commit, len(order)), Links: c.links}
	for place, number := range order {
		c.node(number).place = int32(place)
	}
	for i, n := range c.boundary() {
		g.Missing = append(g.Missing, n.id)
		n.place = -1 - int32(i)
	}
	for i, number := range order {
		n := c.node(number)
		parents := c.parents(n)
		for j, parent := range parents {
			parents[j] = c.node(parent).place
		}
		g.Commits[i] = Commit{ID: n.id, Plan: n.at, Time: n.time, From: n.from, To: n.to, Path: n.path, planMissing: n.missing}
	}
	if !known || !g.isSorted() {
		for place, from := range g.Sort() {
			c.node(order[from]).place = int32(place)
		}
	}
	return g
}

// boundary returns the nodes that were met and are not listed, by id.
func (c *collector) boundary() []*node {
	var boundary []*node
	for number := range c.n {
		if n := c.node(number); n.met && !n.listed {
			boundary = append(boundary, n)
		}
	}
	slices.SortFunc(boundary, func(a, b *node) int { return bytes.Compare(a.id[:], b.id[:]) })
	return boundary
}
