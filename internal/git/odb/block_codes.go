package odb

// fixedTables are those of blocks that bring none of their own.
type fixedTables struct {
	symbols [symbolSize]uint32
	offsets [offsetSize]uint32
}

// loadFixed makes them the first time.
func (z *inflater) loadFixed() {
	if z.fixed != nil {
		return
	}
	var codes [288]code
	for i := range codes {
		n := uint8(8)
		switch {
		case 144 <= i && i < 256:
			n = 9
		case 256 <= i && i < 280:
			n = 7
		}
		codes[i] = code{uint16(i), n}
	}
	z.fixed = &fixedTables{}
	buildTable(z.fixed.symbols[:], symbolBits, codes[:], z.meanings.symbols[:], true)
	for i := range 32 {
		codes[i].bits = 5
	}
	buildTable(z.fixed.offsets[:], offsetBits, codes[:32], z.meanings.offsets[:], true)
}

// lengthOrder is the order in which a block gives the lengths of the codes for lengths.
const lengthOrder = "\x10\x11\x12\x00\x08\x07\x09\x06\x0a\x05\x0b\x04\x0c\x03\x0d\x02\x0e\x01\x0f"

// readTables reads a block's own codes.
func (z *inflater) readTables() bool {
	head, ok := z.take(14)
	symbols, offsets, sent := head&31+257, head>>5&31+1, head>>10+4
	if !ok || symbols > 286 || offsets > 30 || !z.readLengthCode(sent) {
		return false
	}
	used := z.used[:0]
	if used, ok = z.readLengths(used, symbols+offsets); !ok {
		return false
	}
	split := 0
	for split < len(used) && int(used[split].symbol) < symbols {
		split++
	}
	for i := split; i < len(used); i++ {
		used[i].symbol -= uint16(symbols)
	}
	return hasEnd(used[:split]) &&
		buildTable(z.symbols[:], symbolBits, used[:split], z.meanings.symbols[:], false) &&
		buildTable(z.offsets[:], offsetBits, used[split:], z.meanings.offsets[:], false)
}

// hasEnd reports whether there is a code for the end of the block.
func hasEnd(symbols []code) bool {
	for i := len(symbols) - 1; i >= 0 && symbols[i].symbol >= 256; i-- {
		if symbols[i].symbol == 256 {
			return true
		}
	}
	return false
}

// readLengthCode reads the code that the lengths of the others are written in; the block holds sent of its own lengths.
func (z *inflater) readLengthCode(sent int) bool {
	var lengths [19]uint8
	for i := range sent {
		n, ok := z.take(3)
		if !ok {
			return false
		}
		lengths[lengthOrder[i]] = uint8(n)
	}
	used := z.used[:0]
	for i, n := range lengths {
		if n > 0 {
			used = append(used, code{uint16(i), n})
		}
	}
	return buildTable(z.lengths[:], lengthBits, used, z.meanings.lengths[:], true)
}

// readLengths reads the lengths of that many symbols' codes and returns the symbols that have one. Runs are reported by
// their length.
func (z *inflater) readLengths(used []code, symbols int) ([]code, bool) {
	last := uint8(0)
	for i := 0; i < symbols; {
		if z.n < lengthBits+7 {
			z.refill()
		}
		e := z.lengths[z.held&(1<<lengthBits-1)]
		z.held, z.n = z.held>>(e&31), z.n-uint(e&31)
		value, run, extra := uint8(e>>16), 1, uint(0)
		switch value {
		case 16:
			if i == 0 {
				return nil, false
			}
			value, run, extra = last, 3, 2
		case 17:
			value, run, extra = 0, 3, 3
		case 18:
			value, run, extra = 0, 11, 7
		}
		run += int(z.held & (1<<extra - 1))
		z.held, z.n = z.held>>extra, z.n-extra
		if z.n > 64 || run > symbols-i {
			return nil, false
		}
		last = value
		for end := i + run; i < end; i++ {
			if value > 0 {
				used = append(used, code{uint16(i), value})
			}
		}
	}
	return used, true
}
