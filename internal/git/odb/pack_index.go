package odb

import (
	"encoding/binary"
	"fmt"

	"git-ralph/internal/mmap"
)

// packIndex says where in a pack each of its objects begins.
type packIndex struct {
	data    mmap.Data
	ids     idTable
	offsets []byte // of version 2: 4 bytes each; the high bit sends to large
	large   []byte // 8 bytes each
}

const indexMagic = "\xfftOc\x00\x00\x00\x02"

func openPackIndex(path string, size int) (*packIndex, error) {
	data, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	x, err := parsePackIndex(data, size)
	if err != nil {
		data.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

func parsePackIndex(data []byte, size int) (*packIndex, error) {
	x := &packIndex{data: data}
	if len(data) < 1024+2*size {
		return nil, ErrCorrupt
	}
	body := data[:len(data)-2*size] // two checksums follow
	ok := false
	if string(data[:4]) != indexMagic[:4] {
		if len(body) >= 1028 {
			x.ids, ok = newIDTable(body, body[1028:], 4+size, size)
		}
		return x, corruptUnless(ok)
	}
	if string(data[:8]) != indexMagic {
		return nil, ErrUnsupported
	}
	if len(body) < 1032 {
		return nil, ErrCorrupt
	}
	x.ids, ok = newIDTable(body[8:], body[1032:], size, size)
	n := x.ids.n
	if !ok || (len(body)-1032)/(size+8) < n {
		return nil, ErrCorrupt
	}
	x.offsets = body[1032+n*(size+4):][:4*n]
	x.large = body[1032+n*(size+8):]
	return x, nil
}

func corruptUnless(ok bool) error {
	if ok {
		return nil
	}
	return ErrCorrupt
}

// find returns the place of an object in the pack.
func (x *packIndex) find(id *Hash) (offset int64, ok bool) {
	i, ok := x.ids.find(id)
	if !ok {
		return 0, false
	}
	return x.offset(i)
}

// offset returns the place in the pack of the object with that place in the index.
func (x *packIndex) offset(i int) (offset int64, ok bool) {
	if x.offsets == nil { // version 1 has each offset in front of its id
		return int64(binary.BigEndian.Uint32(x.data[1024+i*x.ids.stride:])), true
	}
	return largeOffset(binary.BigEndian.Uint32(x.offsets[4*i:]), x.large)
}

// largeOffset resolves an offset of 4 bytes, which may stand for one of 8.
func largeOffset(offset uint32, large []byte) (int64, bool) {
	if offset>>31 == 0 {
		return int64(offset), true
	}
	at := int(offset&(1<<31-1)) * 8
	if at+8 > len(large) {
		return -1, true // no place in any pack: reading it reports that the pack is corrupt
	}
	return int64(binary.BigEndian.Uint64(large[at:])), true
}
