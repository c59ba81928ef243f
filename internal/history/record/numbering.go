package record

import "slices"

// worthSearching is how many numbers are found faster by looking at each than by
// hashing.
const worthSearching = 8

// A numbering gives numbers places, in the order in which they come. Mostly they
// are few.
type numbering struct {
	numbers []uint32
	places  map[uint32]int // nil for few
}

// reset takes all numbers away.
func (s *numbering) reset() *numbering {
	s.numbers, s.places = s.numbers[:0], nil
	return s
}

// find returns the place of a number, -1 where it has none.
func (s *numbering) find(n uint32) int {
	if s.places == nil {
		return slices.Index(s.numbers, n)
	}
	if i, found := s.places[n]; found {
		return i
	}
	return -1
}

// place returns the place of a number, which gets the next one where it has none.
func (s *numbering) place(n uint32) int {
	if i := s.find(n); i >= 0 {
		return i
	}
	if len(s.numbers) == worthSearching {
		s.places = map[uint32]int{}
		for i, number := range s.numbers {
			s.places[number] = i
		}
	}
	s.numbers = append(s.numbers, n)
	if s.places != nil {
		s.places[n] = len(s.numbers) - 1
	}
	return len(s.numbers) - 1
}
