package odb

// deltaSizes reads the header of a delta: the sizes of its base and of its result.
func deltaSizes(delta []byte) (base, result int, rest []byte, ok bool) {
	base, delta, ok = deltaSize(delta)
	if !ok {
		return 0, 0, nil, false
	}
	result, delta, ok = deltaSize(delta)
	return base, result, delta, ok
}

// deltaSize reads a size: 7 bits a byte, low ones first.
func deltaSize(b []byte) (size int, rest []byte, ok bool) {
	for i := 0; i < len(b) && i < 5; i++ {
		size |= int(b[i]&0x7f) << (7 * i)
		if b[i]&0x80 == 0 {
			return size, b[i+1:], size <= maxUnpacked
		}
	}
	return 0, nil, false
}

// applyDelta fills dst, which has the size of the result, by the instructions of a delta: each copies a part of base or
// inserts bytes of its own.
func applyDelta(dst, base, steps []byte) bool {
	for len(steps) > 0 {
		op := steps[0]
		steps = steps[1:]
		if op&0x80 == 0 {
			n := int(op)
			if n == 0 || n > len(steps) || n > len(dst) {
				return false
			}
			copy(dst, steps[:n])
			dst, steps = dst[n:], steps[n:]
			continue
		}
		var from, n int
		var ok bool
		if from, n, steps, ok = copyRange(op, steps); !ok || from > len(base) || n > len(base)-from || n > len(dst) {
			return false
		}
		copy(dst, base[from:from+n])
		dst = dst[n:]
	}
	return len(dst) == 0
}

// copyRange reads which part of the base an instruction copies. Bits of op say which bytes of the two numbers follow.
func copyRange(op byte, steps []byte) (from, n int, rest []byte, ok bool) {
	i := 0
	for bit := range 7 {
		if op>>bit&1 == 0 {
			continue
		}
		if i == len(steps) {
			return 0, 0, nil, false
		}
		if bit < 4 {
			from |= int(steps[i]) << (8 * bit)
		} else {
			n |= int(steps[i]) << (8 * (bit - 4))
		}
		i++
	}
	if n == 0 {
		n = 1 << 16
	}
	return from, n, steps[i:], true
}
