package fold

import (
	"iter"
	"math/bits"
	"slices"
)

// A set of small numbers: a bit for each.
type set []uint64

func (s set) clone() set { return slices.Clone(s) }

func (s set) remove(n int) { s[n/block] &^= 1 << (n % block) }

// without takes the members of another set out.
func (s set) without(other set) {
	for i := range s {
		s[i] &^= other[i]
	}
}

// all yields the members in their order.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(i*block + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
