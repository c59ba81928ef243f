package cache

import (
	"encoding/binary"
	"hash/crc32"
	"unsafe"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
)

// A link is what the next file of a chain names its predecessor by: checksum and length.
type link [2]uint32

// A file is a part of a chain. Numbers are little endian, of 32 bits where nothing else is said. It consists of a head
//
//	magic, link to the file before (0 for the first), number of the first commit, and how many there are of commits,
//	parents, plans, strings, bytes of strings, entries, bytes of entries, paths, bytes of the key, which follows, ids that
//	entries are about, pairs of ids, and entries of plans that are not valid
//
// of columns
//
//	commits   id · date (64 bits) · 1 + number of the plan, 0 for none · number of the path (1 byte) · end of its parents ·
//	          numbers in the order of ids
//	parents   number of the commit
//	plans     id · readable (1 byte) · numbers in the order of ids
//	strings   end · their bytes
//	entries   number of the commit within the file · end · their bytes · end of the ids that it is about
//	ids       number of the string
//	pairs     numbers of two ids, of which a merge gave a record one in the place of the other
//	paths     number of the string
//
// and a checksum of all that. Commits are numbered from the oldest of the chain, so that a parent's number is lower; plans
// and strings by file.
type file struct {
	self  link
	size  int
	first int // number of the first commit

	commits, parents, planCount, entries int

	ids, times, planOf, pathOf, parentEnd, sorted []byte
	parentOf                                      []byte
	plans, readable, sortedPlans                  []byte
	entryOf, entryEnd, entryText                  []byte
	aboutEnd, about, pairs                        []byte
	invalid                                       int
	strings                                       table
	paths                                         []string
}

const (
	magic    = "ralphlo7"
	headSize = len(magic) + 4*counts
	counts   = 15
	sumSize  = 4
)

func number(column []byte, i int) uint32 { return binary.LittleEndian.Uint32(column[4*i:]) }

// checksum is the IEEE CRC: the tables of the other ones take longer to make than an answer to read.
func checksum(data []byte) uint32 { return crc32.ChecksumIEEE(data) }

// parse finds the columns of a file; not ok where it is damaged, or does not follow the one before.
func parse(data []byte, key Key, before link) (f file, ok bool) {
	if len(data) < headSize+sumSize || len(data) > maxBytes || string(data[:len(magic)]) != magic {
		return f, false
	}
	body := data[:len(data)-sumSize]
	f.self = link{checksum(body), uint32(len(data))}
	if number(data[len(body):], 0) != f.self[0] {
		return f, false
	}
	head := data[len(magic):]
	if (link{number(head, 0), number(head, 1)}) != before {
		return f, false
	}
	count := func(i int) int { return int(number(head, i)) }
	size := key.IDSize
	f.size, f.first, f.commits, f.parents, f.planCount, f.entries = size, count(2), count(3), count(4), count(5), count(8)
	rest := columns{body[headSize:], true}
	if string(rest.cut(count(11), 1)) != key.Text() {
		return f, false
	}
	f.ids, f.times, f.planOf = rest.cut(f.commits, size), rest.cut(f.commits, 8), rest.cut(f.commits, 4)
	f.pathOf, f.parentEnd, f.sorted = rest.cut(f.commits, 1), rest.cut(f.commits, 4), rest.cut(f.commits, 4)
	f.parentOf = rest.cut(f.parents, 4)
	f.plans, f.readable, f.sortedPlans = rest.cut(f.planCount, size), rest.cut(f.planCount, 1), rest.cut(f.planCount, 4)
	stringEnd, text := rest.cut(count(6), 4), rest.cut(count(7), 1)
	f.entryOf, f.entryEnd, f.entryText = rest.cut(f.entries, 4), rest.cut(f.entries, 4), rest.cut(count(9), 1)
	f.aboutEnd, f.about, f.pairs, f.invalid = rest.cut(f.entries, 4), rest.cut(count(12), 4), rest.cut(count(13), 8), count(14)
	paths := rest.cut(count(10), 4)
	if !rest.ok || len(rest.data) > 0 || (before == link{}) != (f.first == 0) {
		return f, false
	}
	if !below(f.planOf, f.planCount+1) || !below(f.parentOf, f.first+f.commits) || !below(f.sorted, f.commits) || !below(f.entryOf, f.commits) || !below(f.sortedPlans, f.planCount) {
		return f, false
	}
	if f.strings, ok = newTable(stringEnd, text); !ok || !below(paths, f.strings.n) || !below(f.about, f.strings.n) || !below(f.pairs, f.strings.n) {
		return f, false
	}
	for i := range len(paths) / 4 {
		f.paths = append(f.paths, f.strings.at(number(paths, i)))
	}
	return f, true
}

// below reports whether all numbers of a column are lower than n.
func below(column []byte, n int) bool {
	for i := range len(column) / 4 {
		if int(number(column, i)) >= n {
			return false
		}
	}
	return true
}

// columns are cut off a file's bytes one after the other.
type columns struct {
	data []byte
	ok   bool // so far there was enough
}

func (c *columns) cut(n, width int) []byte {
	if c.ok = c.ok && n >= 0 && n <= len(c.data)/width; !c.ok {
		return nil
	}
	column := c.data[: n*width : n*width]
	c.data = c.data[n*width:]
	return column
}

// A table holds strings. They share the file's bytes, which are not changed any more.
type table struct {
	n    int
	ends []byte
	text string
}

func newTable(ends, data []byte) (t table, ok bool) {
	t = table{len(ends) / 4, ends, unsafe.String(unsafe.SliceData(data), len(data))}
	start := uint32(0)
	for i := range t.n {
		end := number(ends, i)
		if end < start || int(end) > len(data) {
			return t, false
		}
		start = end
	}
	return t, true
}

// at returns a string.
func (t *table) at(i uint32) string {
	start := uint32(0)
	if i > 0 {
		start = number(t.ends, int(i)-1)
	}
	return t.text[start:number(t.ends, int(i))]
}

// readCommits puts the file's commits from a number on where they stand in a graph, in which number 0 stands at last.
func (f *file) readCommits(g *walk.Graph, last, from int) bool {
	low := max(from-f.first, 0)
	if low >= f.commits {
		return true
	}
	start := 0
	if low > 0 {
		start = int(number(f.parentEnd, low-1))
	}
	for i := low; i < f.commits; i++ {
		own := f.first + i
		end := int(number(f.parentEnd, i))
		if end < start || end > f.parents || own > last {
			return false
		}
		c := &g.Commits[last-own]
		c.From = int32(len(g.Links))
		for ; start < end; start++ {
			p := int(number(f.parentOf, start))
			if p >= own {
				return false
			}
			at := int32(-1)
			if p >= from {
				at = int32(last - p)
			}
			g.Links = append(g.Links, at)
		}
		c.To = int32(len(g.Links))
		setID(&c.ID, f.ids, i, f.size)
		if n := int(number(f.planOf, i)); n > 0 {
			setID(&c.Plan, f.plans, n-1, f.size)
		}
		c.Time, c.Path = f.time(i), f.pathOf[i]
	}
	return true
}

// Of the commits of the file, by number within it.
func (f *file) id(i int) (id git.Hash) {
	setID(&id, f.ids, i, f.size)
	return id
}

func (f *file) time(i int) int64 { return int64(binary.LittleEndian.Uint64(f.times[8*i:])) }

func (f *file) planAt(i int) (plan git.Hash) {
	if n := int(number(f.planOf, i)); n > 0 {
		setID(&plan, f.plans, n-1, f.size)
	}
	return plan
}

// setID reads an id of a column.
func setID(id *git.Hash, column []byte, i, size int) {
	const sha1 = 20 // of a length that is known when this is compiled, a copy takes no call
	if size == sha1 {
		*(*[sha1]byte)(id[:]) = [sha1]byte(column[i*sha1:])
		return
	}
	copy(id[:], column[i*size:][:size])
}
