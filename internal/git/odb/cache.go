package odb

// cache remembers objects that may be bases of others, in one piece of memory that is written round and round: the
// oldest give way. It makes no garbage, however many objects pass through it.
type cache struct {
	ring  []byte
	head  uint64 // bytes given out so far, gaps at the ring's end included
	slots []slot
	large slot   // of the last object that was too large for the ring
	apart []byte // that object
}

// slot is one remembered object. Those whose keys fall on the same slot displace each other.
type slot struct {
	key  uint64
	at   uint64 // value of head when it was placed
	size int
	kind Kind
}

// What lies further back than window is not used any more, so that room never overwrites what get gave a moment ago.
const (
	ringSize  = 8 << 20
	largest   = ringSize / 8 // of an object in the ring; the gap at its end is smaller than that too
	window    = ringSize - 2*largest
	slotCount = 1 << slotBits
	slotBits  = 13
)

// get gives the remembered object with that key. It is valid until room has been called twice.
func (c *cache) get(key uint64) (Kind, []byte, bool) {
	if c.large.key == key && c.apart != nil {
		return c.large.kind, c.apart, true
	}
	if c.slots == nil {
		return 0, nil, false
	}
	s := c.slot(key)
	if s.key != key || c.head-s.at > window {
		return 0, nil, false
	}
	at := s.at % ringSize
	return s.kind, c.ring[at : at+uint64(s.size)], true
}

func (c *cache) slot(key uint64) *slot { return &c.slots[key*0x9e3779b97f4a7c15>>(64-slotBits)] }

// room gives memory for an object, to be filled by the caller, over what was remembered longest.
func (c *cache) room(key uint64, kind Kind, size int) []byte {
	if size > largest {
		c.large, c.apart = slot{key: key, kind: kind}, make([]byte, size)
		return c.apart
	}
	if c.ring == nil {
		c.ring, c.slots = make([]byte, ringSize), make([]slot, slotCount)
	}
	at := c.head % ringSize
	if at+uint64(size) > ringSize {
		c.head += ringSize - at
		at = 0
	}
	*c.slot(key) = slot{key, c.head, size, kind}
	c.head += uint64(size)
	return c.ring[at : at+uint64(size) : at+uint64(size)]
}

// forget drops what room was given for last.
func (c *cache) forget(key uint64) {
	if c.large.key == key {
		c.apart = nil
	}
	if c.slots != nil {
		*c.slot(key) = slot{}
	}
}
