package odb

import "math/bits"

// A Huffman code is looked up by its next bits: the first table has one entry for each value of the next few bits, and a
// longer code's entry leads to a second table. The sizes are the most that any code can need with such first tables.
const (
	symbolBits = 9
	symbolSize = 852
	offsetBits = 6
	offsetSize = 592
	lengthBits = 7
	longest    = 15 // bits of a code
)

// An entry says how many bits a code has (low 5 bits) and what it means (high 16), by kind:
//
//	literal    the byte
//	copied     base of a length or distance; 4 bits from bit 8 on say how many extra bits follow
//	second     place of the second table; the 4 bits say by how many bits it is looked up
//	stop       the end of the block, or a code that no block may use
const (
	isLiteral = 1 << 5
	isSecond  = 1 << 6
	isStop    = 1 << 7
	isWrong   = 1<<15 | isStop
)

func meaning(kind, extra, value uint32) uint32 { return value<<16 | extra<<8 | kind }

// meanings are what the symbols of the alphabets stand for, lengths of codes left out.
type meanings struct {
	symbols [288]uint32 // literals, end of block, lengths of copies
	offsets [32]uint32  // distances of copies
	lengths [19]uint32  // lengths of codes
}

func (m *meanings) fill() {
	for i := range 256 {
		m.symbols[i] = meaning(isLiteral, 0, uint32(i))
	}
	m.symbols[256] = meaning(isStop, 0, 0)
	base := uint32(3)
	for i := range uint32(28) {
		extra := uint32(0)
		if i >= 8 {
			extra = i/4 - 1
		}
		m.symbols[257+i] = meaning(0, extra, base)
		base += 1 << extra
	}
	m.symbols[285] = meaning(0, 0, 258)
	m.symbols[286], m.symbols[287] = isWrong, isWrong
	base = 1
	for i := range uint32(30) {
		extra := uint32(0)
		if i >= 4 {
			extra = i/2 - 1
		}
		m.offsets[i] = meaning(0, extra, base)
		base += 1 << extra
	}
	m.offsets[30], m.offsets[31] = isWrong, isWrong
	for i := range m.lengths {
		m.lengths[i] = meaning(0, 0, uint32(i))
	}
}

// code is how many bits stand for a symbol.
type code struct {
	symbol uint16
	bits   uint8
}

// buildTable makes the lookup table of a code, given the symbols that it uses, ascending. first is the number of bits
// that the first table is looked up by. It returns false for lengths that make no code; a single symbol, or none, is valid unless
// strict.
func buildTable(table []uint32, first int, codes []code, meanings []uint32, strict bool) bool {
	b := builder{table: table, first: first, meanings: meanings, used: 1 << first}
	if !b.sort(codes, strict) {
		return false
	}
	size := 1 // of the part of the first table that is made; it doubles with each bit
	table[0] = isWrong | 1
	for n := 1; n <= first; n++ {
		copy(table[size:2*size], table[:size])
		size *= 2
		b.short(n)
	}
	for n := first + 1; n <= b.maxLen; n++ {
		if !b.long(n) {
			return false
		}
	}
	return true
}

// builder assigns codes to symbols in order of their length.
type builder struct {
	table    []uint32
	meanings []uint32
	first    int
	used     int // entries of table

	sorted [288]uint16 // symbols by length of their codes
	count  [longest + 1]int
	maxLen int    // length of the longest code
	next   int    // index into sorted
	code   uint32 // of the next symbol

	prefix uint32 // of the second table that is being filled
	start  int    // its place; 0 for none
	bits   int    // by how many bits it is looked up
}

// sort orders the symbols and checks that their lengths make a code.
func (b *builder) sort(codes []code, strict bool) bool {
	for _, c := range codes {
		b.count[c.bits]++
	}
	left := 1 // codes not yet given away
	var at [longest + 2]int
	for n := 1; n <= longest; n++ {
		if left = left<<1 - b.count[n]; left < 0 {
			return false
		}
		if b.count[n] > 0 {
			b.maxLen = n
		}
		at[n+1] = at[n] + b.count[n]
	}
	for _, c := range codes {
		b.sorted[at[c.bits]] = c.symbol
		at[c.bits]++
	}
	return left == 0 || !strict && b.maxLen <= 1
}

// take returns the next symbol's meaning and code of n bits, in the order in which they are read.
func (b *builder) take(n int) (meaning, reversed uint32) {
	meaning = b.meanings[b.sorted[b.next]]
	reversed = bits.Reverse32(b.code) >> (32 - n)
	b.next++
	b.code++
	return meaning, reversed
}

// short enters the codes of n bits into the first table, which is made up to that many bits.
func (b *builder) short(n int) {
	b.code <<= 1
	for range b.count[n] {
		meaning, reversed := b.take(n)
		b.table[reversed] = meaning | uint32(n)
	}
}

// long enters the codes of n bits, more than the first table has, wherever a lookup of them may end.
func (b *builder) long(n int) bool {
	b.code <<= 1
	for b.count[n] > 0 {
		meaning, reversed := b.take(n)
		prefix := reversed & (1<<b.first - 1)
		if (b.start == 0 || prefix != b.prefix) && !b.second(prefix, n) {
			return false
		}
		for i := int(reversed >> b.first); i < 1<<b.bits; i += 1 << (n - b.first) {
			b.table[b.start+i] = meaning | uint32(n-b.first)
		}
		b.count[n]--
	}
	return true
}

// second begins a second table, large enough for all codes with that prefix, the shortest of which has n bits.
func (b *builder) second(prefix uint32, n int) bool {
	b.bits = n - b.first
	for left := 1 << b.bits; b.bits+b.first < b.maxLen; left <<= 1 {
		if left -= b.count[b.bits+b.first]; left <= 0 {
			break
		}
		b.bits++
	}
	b.prefix, b.start = prefix, b.used
	b.used += 1 << b.bits
	if b.used > len(b.table) {
		return false
	}
	b.table[prefix] = uint32(b.start)<<16 | uint32(b.bits)<<8 | isSecond | uint32(b.first)
	return true
}
