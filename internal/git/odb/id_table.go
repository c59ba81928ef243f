package odb

import (
	"bytes"
	"encoding/binary"
)

// idTable is a sorted list of ids with a fan-out in front: 256 numbers that say how many ids begin with that byte or a
// smaller one. Pack indexes, multi-pack-indexes and commit-graphs all have one.
type idTable struct {
	fanout []byte // 256 numbers of 4 bytes
	ids    []byte // first id and all behind it
	stride int    // bytes from one id to the next
	size   int    // of an id
	n      int
}

// newIDTable checks the fan-out and that all ids are there.
func newIDTable(fanout, ids []byte, stride, size int) (idTable, bool) {
	t := idTable{fanout, ids, stride, size, 0}
	if len(fanout) < 1024 {
		return t, false
	}
	last := uint32(0)
	for i := range 256 {
		n := binary.BigEndian.Uint32(fanout[4*i:])
		if n < last {
			return t, false
		}
		last = n
	}
	t.n = int(last)
	return t, t.n == 0 || t.n <= (len(ids)-size)/stride+1 && len(ids) >= size
}

func (t *idTable) id(i int) []byte { return t.ids[i*t.stride:][:t.size] }

// maxGuesses is how often a place is guessed. Ids are evenly spread, so that few are enough; where they are not, the
// search goes on by halves.
const maxGuesses = 16

// search is the state of a search: the places where the id may be, and the keys between which it lies.
type search struct {
	key, from, to uint64
	low, high     int
	guesses       int
}

func (t *idTable) search(id *Hash) search {
	s := search{key: binary.BigEndian.Uint64(id[:]), from: uint64(id[0]) << 56}
	s.to = s.from | (1<<56 - 1)
	s.high = int(binary.BigEndian.Uint32(t.fanout[4*int(id[0]):]))
	if id[0] > 0 {
		s.low = int(binary.BigEndian.Uint32(t.fanout[4*int(id[0])-4:]))
	}
	return s
}

// open reports whether there is still a place where the id may stand.
func (s *search) open() bool { return s.low < s.high }

// aim returns the place to look at next. The value of an id says about where between two others it stands.
func (s *search) aim() int {
	if s.guesses++; s.guesses > maxGuesses || s.to <= s.from {
		return (s.low + s.high) / 2
	}
	return s.low + min(int(float64(s.key-s.from)/float64(s.to-s.from)*float64(s.high-s.low)), s.high-s.low-1)
}

// key returns the beginning of the id at a place.
func (t *idTable) key(at int) uint64 { return binary.BigEndian.Uint64(t.ids[at*t.stride:]) }

// narrow reports whether the id stands at a place, given the key there, and otherwise on which side of it to look.
func (t *idTable) narrow(s *search, at int, key uint64, id *Hash) bool {
	order := 0
	switch {
	case key < s.key:
		order, s.from = -1, key
	case key > s.key:
		order, s.to = 1, key
	default:
		order = bytes.Compare(t.id(at), id[:t.size])
	}
	switch order {
	case -1:
		s.low = at + 1
	case 1:
		s.high = at
	}
	return order == 0
}

// find returns the place of an id.
func (t *idTable) find(id *Hash) (int, bool) {
	for s := t.search(id); s.open(); {
		if at := s.aim(); t.narrow(&s, at, t.key(at), id) {
			return at, true
		}
	}
	return 0, false
}

// atOnce is how many searches are interleaved. A processor can have about ten cache misses in flight.
const atOnce = 16

// findAll returns the places of many ids, -1 for those that are not there. Each step of a search is usually a
// cache miss; interleaved searches wait for many of them at once.
func (t *idTable) findAll(ids []Hash, places []int) {
	var (
		searches [atOnce]search
		aims     [atOnce]int
		keys     [atOnce]uint64
	)
	for start := 0; start < len(ids); start += atOnce {
		group := ids[start:min(start+atOnce, len(ids))]
		for i := range group {
			searches[i] = t.search(&group[i])
			places[start+i] = -1
		}
		for open := true; open; {
			open = false
			for i := range group {
				if s := &searches[i]; s.open() {
					aims[i] = s.aim()
					keys[i] = t.key(aims[i])
				}
			}
			for i := range group {
				s := &searches[i]
				if !s.open() {
					continue
				}
				if t.narrow(s, aims[i], keys[i], &group[i]) {
					places[start+i], s.high = aims[i], 0
				}
				open = open || s.open()
			}
		}
	}
}
