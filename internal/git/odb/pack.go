package odb

import (
	"fmt"
	"strings"
	"sync"

	"git-ralph/internal/mmap"
)

// pack is a file of many objects, some of which are stored as deltas against others.
type pack struct {
	path   string
	number uint64 // its own, in this process
	size   int    // of an id

	opening sync.Once
	data    mmap.Data // whole
	body    []byte    // without the checksum
	err     error

	indexing sync.Once
	index    *packIndex
	indexErr error
}

// open maps the pack when it is first read.
func (p *pack) open() error {
	p.opening.Do(func() {
		if p.data, p.err = mapFile(p.path); p.err != nil {
			return
		}
		switch {
		case len(p.data) < 12+p.size || string(p.data[:4]) != "PACK":
			p.err = p.corrupt(0)
		case string(p.data[4:8]) != "\x00\x00\x00\x02" && string(p.data[4:8]) != "\x00\x00\x00\x03":
			p.err = fmt.Errorf("%s: %w", p.path, ErrUnsupported)
		default:
			p.body = p.data[:len(p.data)-p.size]
		}
	})
	return p.err
}

// openIndex maps the pack's own index when it is first needed.
func (p *pack) openIndex() error {
	p.indexing.Do(func() {
		p.index, p.indexErr = openPackIndex(strings.TrimSuffix(p.path, ".pack")+".idx", p.size)
	})
	return p.indexErr
}

// find returns the place of an object by the pack's own index.
func (p *pack) find(id *Hash) (offset int64, ok bool, err error) {
	if err := p.openIndex(); err != nil {
		return 0, false, err
	}
	offset, ok = p.index.find(id)
	return offset, ok, nil
}

func (p *pack) close() {
	p.data.Close()
	if p.index != nil {
		p.index.data.Close()
	}
}

func (p *pack) corrupt(offset int64) error {
	return fmt.Errorf("%s, at byte %d: %w", p.path, offset, ErrCorrupt)
}

// Place is the location of an object in a pack. The zero Place means that it is in none.
type Place struct {
	pack   *pack
	offset int64
}

// key is the place as one number.
func (a Place) key() uint64 {
	if a.pack == nil {
		return 0
	}
	return a.pack.number<<44 | uint64(a.offset)
}

// entry is how an object is stored.
type entry struct {
	kind Kind
	size int    // unpacked, of the object or of the delta
	data []byte // the zlib stream, and whatever follows
	base Place  // of a delta
}

// maxUnpacked is the size of the largest object that is read, in bytes.
const maxUnpacked = 1<<31 - 1

// entry reads the head of the object at an offset.
func (p *pack) entry(offset int64) (entry, error) {
	if err := p.open(); err != nil {
		return entry{}, err
	}
	if offset < 12 || offset >= int64(len(p.body)) {
		return entry{}, p.corrupt(offset)
	}
	rest := p.body[offset:]
	e := entry{kind: Kind(rest[0] >> 4 & 7)}
	size, n, ok := entrySize(rest)
	if !ok {
		return entry{}, p.corrupt(offset)
	}
	e.size, e.data = size, rest[n:]
	switch e.kind {
	case Commit, Tree, Blob, Tag:
	case offsetDelta:
		back, n, ok := distance(e.data)
		if !ok || back <= 0 || back > offset-12 {
			return entry{}, p.corrupt(offset)
		}
		e.base, e.data = Place{p, offset - back}, e.data[n:]
	case idDelta:
		return p.byID(e, offset)
	default:
		return entry{}, p.corrupt(offset)
	}
	return e, nil
}

// byID completes an entry whose base is named by its id. It must be in the same pack.
func (p *pack) byID(e entry, offset int64) (entry, error) {
	if len(e.data) < p.size {
		return entry{}, p.corrupt(offset)
	}
	id := hashOf(e.data, p.size)
	base, ok, err := p.find(&id)
	if err != nil {
		return entry{}, err
	}
	if !ok {
		return entry{}, p.corrupt(offset)
	}
	e.base, e.data = Place{p, base}, e.data[p.size:]
	return e, nil
}

// entrySize reads the size behind an entry's kind: 4 bits, then 7 in each further byte, low ones first.
func entrySize(b []byte) (size, n int, ok bool) {
	size = int(b[0] & 15)
	for shift := 4; b[n]&0x80 != 0; shift += 7 {
		if n++; n == len(b) || shift > 32 {
			return 0, 0, false
		}
		size |= int(b[n]&0x7f) << shift
	}
	return size, n + 1, size <= maxUnpacked
}

// distance reads how far before a delta its base is (ofs-delta): 7 bits a byte, high ones first, each longer form beginning
// where the shorter one ends.
func distance(b []byte) (back int64, n int, ok bool) {
	for n < len(b) && n < 8 {
		back |= int64(b[n] & 0x7f)
		n++
		if b[n-1]&0x80 == 0 {
			return back, n, true
		}
		back = (back + 1) << 7
	}
	return 0, 0, false
}
