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

// mostGuesses is how often a place is guessed. Ids are evenly spread, so that few are enough; where they are not, the search
// goes on by halves.
const mostGuesses = 16

// find gives the place of an id. The value of an id says about where between two others it stands.
func (t *idTable) find(id *Hash) (int, bool) {
	low, high := 0, int(binary.BigEndian.Uint32(t.fanout[4*int(id[0]):]))
	if id[0] > 0 {
		low = int(binary.BigEndian.Uint32(t.fanout[4*int(id[0])-4:]))
	}
	key := binary.BigEndian.Uint64(id[:])
	from := uint64(id[0]) << 56 // the keys between which it lies
	to := from | (1<<56 - 1)
	for guesses := 0; low < high; guesses++ {
		at := (low + high) / 2
		if guesses < mostGuesses && to > from {
			at = low + min(int(float64(key-from)/float64(to-from)*float64(high-low)), high-low-1)
		}
		found := t.id(at)
		switch k := binary.BigEndian.Uint64(found); {
		case k < key:
			low, from = at+1, k
		case k > key:
			high, to = at, k
		default:
			switch bytes.Compare(found, id[:t.size]) {
			case 0:
				return at, true
			case -1:
				low = at + 1
			default:
				high = at
			}
		}
	}
	return 0, false
}
