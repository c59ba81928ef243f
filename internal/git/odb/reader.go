package odb

import (
	"errors"
	"fmt"
)

// Reader reads objects of a Store. It is for one goroutine.
type Reader struct {
	store *Store
	z     *inflater
	cache cache
	chain []link
	own   []byte // room for objects that are no bases
	loose bool   // the object before was a loose one: mostly the next one is
	delta []byte // room for a delta
}

// link is a delta on the way from an object to its last base.
type link struct {
	at   Place
	size int
	data []byte
}

// maxDeltaChain is how many deltas may lie between an object and its last base. git makes 50, and 4095 at most.
const maxDeltaChain = 5000

// Reader returns a reader for one goroutine.
func (s *Store) Reader() *Reader { return &Reader{store: s, z: newInflater()} }

// Object returns an object's kind and content, which is valid until the next call. The errors are ErrMissing,
// ErrCorrupt, ErrUnsupported, and those of the system.
func (r *Reader) Object(id *Hash) (Kind, []byte, error) {
	if r.loose {
		if kind, data, err := r.readLoose(id); err == nil {
			return kind, data, nil
		}
	}
	at, ok := r.store.find(id)
	if ok {
		r.loose = false
		return r.unpack(at)
	}
	kind, data, err := r.readLoose(id)
	if !errors.Is(err, ErrMissing) {
		r.loose = true
		return kind, data, err
	}
	if at, ok, err = r.store.findAgain(id); err != nil {
		return 0, nil, err
	} else if ok {
		return r.unpack(at)
	}
	return 0, nil, fmt.Errorf("%x: %w", id[:r.store.size], ErrMissing)
}

// Locate is Store.Locate, but locates nothing after a loose object, because then the next ones are usually loose too.
func (r *Reader) Locate(ids []Hash) []Place {
	if r.loose {
		return make([]Place, len(ids))
	}
	return r.store.Locate(ids)
}

// ObjectAt returns an object as Object does, given what Locate says of its place.
func (r *Reader) ObjectAt(id *Hash, at Place) (Kind, []byte, error) {
	if at.pack == nil {
		return r.Object(id)
	}
	return r.unpack(at)
}

// unpack reads an object of a pack.
func (r *Reader) unpack(at Place) (Kind, []byte, error) {
	r.chain = r.chain[:0]
	for {
		if kind, data, ok := r.cache.get(at.key()); ok {
			return r.resolve(kind, data)
		}
		e, err := at.pack.entry(at.offset)
		if err != nil {
			return 0, nil, err
		}
		if e.base.pack == nil {
			kind, data, err := r.whole(at, e)
			if err != nil {
				return 0, nil, err
			}
			return r.resolve(kind, data)
		}
		r.chain = append(r.chain, link{at, e.size, e.data})
		if len(r.chain) > maxDeltaChain {
			return 0, nil, at.pack.corrupt(at.offset)
		}
		at = e.base
	}
}

// whole unpacks an object that is not stored as a delta. Commits are rarely the base of another; they are not remembered then.
func (r *Reader) whole(at Place, e entry) (Kind, []byte, error) {
	if !plausible(e.size, len(e.data)) {
		return 0, nil, at.pack.corrupt(at.offset)
	}
	if e.kind == Commit && len(r.chain) == 0 {
		r.own = sized(r.own, e.size)
		if !r.z.inflate(r.own, e.data) {
			return 0, nil, at.pack.corrupt(at.offset)
		}
		return e.kind, r.own, nil
	}
	data := r.cache.room(at.key(), e.kind, e.size)
	if !r.z.inflate(data, e.data) {
		r.cache.forget(at.key())
		return 0, nil, at.pack.corrupt(at.offset)
	}
	return e.kind, data, nil
}

// resolve applies the deltas of the chain, last one first, to their base.
func (r *Reader) resolve(kind Kind, base []byte) (Kind, []byte, error) {
	for i := len(r.chain) - 1; i >= 0; i-- {
		l := r.chain[i]
		if !plausible(l.size, len(l.data)) {
			return 0, nil, l.at.pack.corrupt(l.at.offset)
		}
		r.delta = sized(r.delta, l.size)
		if !r.z.inflate(r.delta, l.data) {
			return 0, nil, l.at.pack.corrupt(l.at.offset)
		}
		from, size, steps, ok := deltaSizes(r.delta)
		if !ok || from != len(base) {
			return 0, nil, l.at.pack.corrupt(l.at.offset)
		}
		data := r.cache.room(l.at.key(), kind, size)
		if !applyDelta(data, base, steps) {
			r.cache.forget(l.at.key())
			return 0, nil, l.at.pack.corrupt(l.at.offset)
		}
		base = data
	}
	return kind, base, nil
}

// plausible reports whether a zlib stream of packed bytes may hold size bytes: a damaged size must not make us allocate all
// the memory there is.
func plausible(size, packed int) bool { return size/1100 <= packed }

// sized returns room for n bytes, the old one where it is large enough.
func sized(room []byte, n int) []byte {
	if n <= cap(room) {
		return room[:n]
	}
	return make([]byte, n, n+n/4)
}
