package odb

// cache keeps objects that may be the bases of deltas, in a ring buffer: new ones overwrite the oldest. It makes no garbage,
// however many objects pass through it.
type cache struct {
	ring  []byte
	head  uint64 // bytes given out so far, gaps at the ring's end included
	slots []slot
	large slot   // of the last object that was too large for the ring
	apart []byte // that object
}

// slot is one cached object. Objects whose keys have the same slot displace each other.
type slot struct {
	key  uint64
	at   uint64 // value of head when it was placed
	size int
	kind Kind
}

// A ring has room for at least ringObjects of the largest object in it, up to the size of the largest ring. git looks for
// bases among the ten objects before.
const (
	smallRing   = 2 << 20
	largeRing   = 12 << 20
	ringObjects = 16
	slotBits    = 13
)

// get returns the remembered object with that key. It is valid until room has been called twice: what lies so far back
// that the next object could be written over it, with the gap at the ring's end, is not used any more.
func (c *cache) get(key uint64) (Kind, []byte, bool) {
	if c.large.key == key && c.apart != nil {
		return c.large.kind, c.apart, true
	}
	if c.slots == nil {
		return 0, nil, false
	}
	size := uint64(len(c.ring))
	s := c.slot(key)
	if s.key != key || c.head-s.at > size-2*(size/ringObjects) {
		return 0, nil, false
	}
	at := s.at % size
	return s.kind, c.ring[at : at+uint64(s.size)], true
}

func (c *cache) slot(key uint64) *slot { return &c.slots[key*0x9e3779b97f4a7c15>>(64-slotBits)] }

// room returns memory for an object, to be filled by the caller. It overwrites the oldest objects.
func (c *cache) room(key uint64, kind Kind, size int) []byte {
	if size > largeRing/ringObjects {
		c.large, c.apart = slot{key: key, kind: kind}, make([]byte, size)
		return c.apart
	}
	if size > len(c.ring)/ringObjects || c.ring == nil {
		c.renew(size)
	}
	whole, need := uint64(len(c.ring)), uint64(size)
	at := c.head % whole
	if at+need > whole {
		c.head += whole - at
		at = 0
	}
	*c.slot(key) = slot{key, c.head, size, kind}
	c.head += need
	return c.ring[at : at+need : at+need]
}

// renew allocates a ring that is large enough for objects of a size and somewhat larger ones, and forgets the content of the
// old one.
func (c *cache) renew(size int) {
	ring := min(max(smallRing, (size+size/2)*ringObjects), largeRing)
	c.ring, c.slots, c.head = make([]byte, ring), make([]slot, 1<<slotBits), 0
}

// forget drops the object that room was called for last.
func (c *cache) forget(key uint64) {
	if c.large.key == key {
		c.apart = nil
	}
	if c.slots != nil {
		*c.slot(key) = slot{}
	}
}
