package odb

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// bloom are the changed-path filters of one commit-graph file: for each commit a set of bits, of which each changed path
// and each directory above it has set a few.
type bloom struct {
	ends    []byte // 4 bytes a commit: where its bits end
	bits    []byte
	version uint32 // of the hash
	hashes  uint32 // bits a path
}

const bloomHead = 12

// parseBloom returns no filters where they are missing, damaged, or of an unknown kind: without them every path may
// have changed.
func parseBloom(ends, data []byte, n int) bloom {
	if len(ends)/4 < n || len(data) < bloomHead {
		return bloom{}
	}
	b := bloom{ends, data[bloomHead:], binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])}
	if b.version != 1 && b.version != 2 || b.hashes == 0 || b.hashes > 64 {
		return bloom{}
	}
	return b
}

// PathKeys are the hashes of a path and the directories above it.
type PathKeys struct{ v1, v2 []bloomKey }

// bloomKey makes the bits of one path: first + i*step.
type bloomKey struct{ first, step uint32 }

// NewPathKeys hashes a slash-separated path.
func NewPathKeys(path string) PathKeys {
	var k PathKeys
	for {
		k.v1 = append(k.v1, newBloomKey(path, true))
		k.v2 = append(k.v2, newBloomKey(path, false))
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return k
		}
		path = path[:i]
	}
}

func newBloomKey(path string, signed bool) bloomKey {
	return bloomKey{murmur3(0x293ae76f, path, signed), murmur3(0x7e646e2c, path, signed)}
}

// mayChange looks for all bits of one of the paths.
func (b *bloom) mayChange(i int, paths []PathKeys) bool {
	if b.ends == nil {
		return true
	}
	start, end := uint32(0), binary.BigEndian.Uint32(b.ends[4*i:])
	if i > 0 {
		start = binary.BigEndian.Uint32(b.ends[4*i-4:])
	}
	if start >= end || int64(end) > int64(len(b.bits)) {
		return true // none was made, or they are damaged
	}
	filter := b.bits[start:end]
	for _, path := range paths {
		// Version 1 means what the machine that wrote it takes a char for; version 2 agrees with one of the two.
		if b.holds(filter, path.v2) || b.version == 1 && b.holds(filter, path.v1) {
			return true
		}
	}
	return false
}

func (b *bloom) holds(filter []byte, keys []bloomKey) bool {
	size := uint64(len(filter)) * 8
	for _, k := range keys {
		for i := range b.hashes {
			at := uint64(k.first+i*k.step) % size
			if filter[at/8]>>(at%8)&1 == 0 {
				return false
			}
		}
	}
	return true
}

// murmur3 is the 32-bit hash of that name. Signed gives what git's first version makes of bytes above 127 where a char is
// signed: they are widened with their sign.
func murmur3(seed uint32, text string, signed bool) uint32 {
	at := func(i int) uint32 {
		if signed {
			return uint32(int32(int8(text[i])))
		}
		return uint32(text[i])
	}
	mix := func(k uint32) uint32 { return bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593 }
	h, i := seed, 0
	for ; i+4 <= len(text); i += 4 {
		k := at(i) | at(i+1)<<8 | at(i+2)<<16 | at(i+3)<<24
		h = bits.RotateLeft32(h^mix(k), 13)*5 + 0xe6546b64
	}
	tail := uint32(0)
	for n := len(text) - i; n > 0; n-- {
		tail ^= at(i+n-1) << (8 * (n - 1))
	}
	h ^= mix(tail)
	h ^= uint32(len(text))
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
