package odb

import "encoding/binary"

// adlerModulus is the largest prime below 2^16 (RFC 1950, section 8.2).
const adlerModulus = 65521

// mostWords is how many words of eight bytes can be summed up before a sum of sums leaves its 16 bits.
const mostWords = 22

// adler gives the checksum at the end of a zlib stream. It adds the bytes of a word side by side: those at even places in one
// word of four 16-bit sums, those at odd ones in another. hash/adler32 takes each byte for itself, and three times as long.
func adler(data []byte) uint32 {
	const even, ones = 0x00ff00ff00ff00ff, 0x0001000100010001
	a, b := uint64(1), uint64(0)
	for len(data) >= 8 {
		n := min(len(data)/8, mostWords)
		words := data[:8*n]
		data = data[8*n:]
		var e, o, earlierE, earlierO uint64
		for ; len(words) >= 16; words = words[16:] {
			v, w := binary.LittleEndian.Uint64(words), binary.LittleEndian.Uint64(words[8:16])
			earlierE += e // what stood before a word counts once more for each of its bytes
			earlierO += o
			e += v & even
			o += v >> 8 & even
			earlierE += e
			earlierO += o
			e += w & even
			o += w >> 8 & even
		}
		if len(words) >= 8 {
			v := binary.LittleEndian.Uint64(words)
			earlierE += e
			earlierO += o
			e += v & even
			o += v >> 8 & even
		}
		// Multiplying by ones adds up lanes: the highest is the sum of all, and all of them together are the first lane four
		// times, the second three times and so on, which is half of what the bytes count for.
		sums := (e + o) * ones
		weighted := 2*lanes(sums) - o*ones>>48
		b += 8*uint64(n)*a + 8*(lanes(earlierE)+lanes(earlierO)) + weighted
		a += sums >> 48
		if b > 1<<40 {
			a, b = a%adlerModulus, b%adlerModulus
		}
	}
	a, b = a%adlerModulus, b%adlerModulus
	for _, c := range data {
		a += uint64(c)
		b += a
	}
	return uint32(b%adlerModulus)<<16 | uint32(a%adlerModulus)
}

// lanes adds up the 16-bit numbers of a word.
func lanes(v uint64) uint64 {
	const every32 = 0x0000ffff0000ffff
	v = v&every32 + v>>16&every32
	return v&0xffffffff + v>>32
}
