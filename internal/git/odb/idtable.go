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

// find gives the place of an id. Ids are evenly spread, so its value says about where it stands; from there the search
// widens until the id is between two others.
func (t *idTable) find(id *Hash) (int, bool) {
	low, high := 0, int(binary.BigEndian.Uint32(t.fanout[4*int(id[0]):]))
	if id[0] > 0 {
		low = int(binary.BigEndian.Uint32(t.fanout[4*int(id[0])-4:]))
	}
	if low == high {
		return 0, false
	}
	at := low + int(uint64(high-low)*uint64(binary.BigEndian.Uint32(id[1:]))>>32)
	want := id[:t.size]
	for step := 4; ; step *= 4 {
		switch c := bytes.Compare(t.id(at), want); {
		case c == 0:
			return at, true
		case c < 0:
			low = at + 1
			at = min(at+step, high-1)
		default:
			high = at
			at = max(at-step, low)
		}
		if low >= high || step > 1<<12 {
			return t.bisect(want, low, high)
		}
	}
}

func (t *idTable) bisect(want []byte, low, high int) (int, bool) {
	for low < high {
		at := int(uint(low+high) / 2)
		switch c := bytes.Compare(t.id(at), want); {
		case c == 0:
			return at, true
		case c < 0:
			low = at + 1
		default:
			high = at
		}
	}
	return 0, false
}
