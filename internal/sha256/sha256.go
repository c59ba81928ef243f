// Package sha256 computes SHA-256 as crypto/sha256 does. That package brings a dozen others that initialise themselves at every
// start of the program, and here a few kilobytes of output are hashed now and then.
package sha256

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

const blockSize = 64 // bytes

// A Hash is the hash of what was written to it. Make it with New.
type Hash struct {
	state [8]uint32
	block []byte // that is not full yet
	size  uint64 // bytes written
}

// New returns the hash of nothing.
func New() *Hash {
	return &Hash{state: [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}}
}

// Hex returns the hash of data in hex.
func Hex(data string) string {
	h := New()
	h.Write([]byte(data)) //nolint:errcheck // it has none
	return h.Hex()
}

// Write adds to what is hashed. There is never an error.
func (h *Hash) Write(p []byte) (int, error) {
	n := len(p)
	h.size += uint64(n)
	if len(h.block) > 0 {
		used := min(blockSize-len(h.block), len(p))
		h.block, p = append(h.block, p[:used]...), p[used:]
		if len(h.block) < blockSize {
			return n, nil
		}
		h.add(h.block)
		h.block = h.block[:0]
	}
	for ; len(p) >= blockSize; p = p[blockSize:] {
		h.add(p[:blockSize])
	}
	h.block = append(h.block, p...)
	return n, nil
}

// Hex returns the hash of what was written so far, in hex.
func (h *Hash) Hex() string {
	whole := Hash{state: h.state, block: append([]byte(nil), h.block...)}
	padding := make([]byte, 1+(2*blockSize-9-len(h.block))%blockSize, blockSize+9)
	padding[0] = 0x80
	whole.Write(binary.BigEndian.AppendUint64(padding, h.size*8)) //nolint:errcheck // it has none
	var sum []byte
	for _, word := range whole.state {
		sum = binary.BigEndian.AppendUint32(sum, word)
	}
	return hex.EncodeToString(sum)
}

// add adds one block.
func (h *Hash) add(block []byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	for i := 16; i < len(w); i++ {
		s0 := rotated(w[i-15], 7) ^ rotated(w[i-15], 18) ^ w[i-15]>>3
		s1 := rotated(w[i-2], 17) ^ rotated(w[i-2], 19) ^ w[i-2]>>10
		w[i] = w[i-16] + s0 + w[i-7] + s1
	}
	s := h.state
	for i := range w {
		s1 := rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)
		t1 := s[7] + s1 + (s[4]&s[5] ^ ^s[4]&s[6]) + rounds[i] + w[i]
		s0 := rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)
		t2 := s0 + (s[0]&s[1] ^ s[0]&s[2] ^ s[1]&s[2])
		s = [8]uint32{t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]}
	}
	for i := range s {
		h.state[i] += s[i]
	}
}

func rotated(x uint32, by int) uint32 { return bits.RotateLeft32(x, -by) }

// rounds are the constants of FIPS 180-4, section 4.2.2.
var rounds = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
