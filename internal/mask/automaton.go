package mask

import (
	"slices"
	"strings"
)

// An automaton finds many words in a text at once, ignoring case (Aho and
// Corasick, 1975).
type automaton struct {
	class [256]uint8 // of a byte, 0 for one that is in no word
	next  []uint16   // the state after a state and a class, with ends where words end there
	found [][]uint16 // by state: the words that end there

	longest int // how long the longest word is
}

// classBits is the size of a row of next.
const classBits = 6

// ends marks a state in which words end.
const ends = 1 << 15

func newAutomaton(words []string) *automaton {
	a := &automaton{}
	a.classify(words)
	states := 1 // at most
	for _, word := range words {
		states += len(word)
	}
	a.next, a.found = make([]uint16, 0, states<<classBits), make([][]uint16, 0, states)
	a.addState()
	for n, word := range words {
		a.add(strings.ToLower(word), uint16(n))
		a.longest = max(a.longest, len(word))
	}
	a.link()
	for at, state := range a.next {
		if a.found[state] != nil {
			a.next[at] |= ends
		}
	}
	return a
}

// classify gives a class to each byte that the words contain. There are fewer than 64 such bytes: letters, digits,
// punctuation.
func (a *automaton) classify(words []string) {
	classes := uint8(0)
	for _, word := range words {
		for _, b := range []byte(strings.ToLower(word)) {
			if a.class[b] == 0 {
				classes++
				a.class[b] = classes
			}
		}
	}
	for b := 'A'; b <= 'Z'; b++ {
		a.class[b] = a.class[b|0x20]
	}
	if classes >= 1<<classBits {
		panic("mask: the words contain too many different characters")
	}
}

func (a *automaton) addState() uint16 {
	a.next = a.next[:len(a.next)+1<<classBits]
	a.found = append(a.found, nil)
	return uint16(len(a.found) - 1)
}

func (a *automaton) add(word string, n uint16) {
	state := uint16(0)
	for _, b := range []byte(word) {
		at := int(state)<<classBits | int(a.class[b])
		if a.next[at] == 0 {
			added := a.addState()
			a.next[at] = added
		}
		state = a.next[at]
	}
	a.found[state] = append(a.found[state], n)
}

// link completes next, breadth first, so that no byte is read twice: where a state has no successor for a class, it gets
// that of its longest suffix that is a state too.
func (a *automaton) link() {
	suffix := make([]uint16, len(a.found))
	queue := make([]uint16, 1, len(a.found)) // the first state
	for n := 0; n < len(queue); n++ {
		state := queue[n]
		for c := range 1 << classBits {
			at, from := int(state)<<classBits|c, int(suffix[state])<<classBits|c
			child := a.next[at]
			switch {
			case child == 0 && state != 0:
				a.next[at] = a.next[from]
			case child != 0:
				if state != 0 {
					suffix[child] = a.next[from]
				}
				a.found[child] = slices.Concat(a.found[child], a.found[suffix[child]])
				queue = append(queue, child)
			}
		}
	}
}

// scan calls hit with each word in a text and the offset where it ends, in the order of these offsets. Each step waits for
// the one before it, so the two halves of a text are read in one loop; the second begins so early that no word across the
// halves is missed.
func (a *automaton) scan(text []byte, hit func(word uint16, end int)) {
	half := len(text) / 2
	if half < a.longest {
		a.scanFrom(0, text, 0, hit)
		return
	}
	type place struct{ state, end int }
	var later []place // of the second half
	next, class := a.next, &a.class
	begin := half - a.longest + 1
	left, right := text[:half], text[begin:]
	one, two := uint(0), uint(0)
	for i, b := range left {
		after, after2 := next[one|uint(class[b])], next[two|uint(class[right[i]])]
		one, two = uint(after&^ends)<<classBits, uint(after2&^ends)<<classBits
		if after&ends != 0 {
			for _, word := range a.found[after&^ends] {
				hit(word, i+1)
			}
		}
		if end := begin + i + 1; after2&ends != 0 && end > half {
			later = append(later, place{int(after2 &^ ends), end})
		}
	}
	for _, p := range later {
		for _, word := range a.found[p.state] {
			hit(word, p.end)
		}
	}
	a.scanFrom(two, text, begin+half, hit)
}

// scanFrom scans a text from a place on, in a state.
func (a *automaton) scanFrom(state uint, text []byte, from int, hit func(word uint16, end int)) {
	for i, b := range text[from:] {
		after := a.next[state|uint(a.class[b])]
		state = uint(after&^ends) << classBits
		if after&ends != 0 {
			for _, word := range a.found[after&^ends] {
				hit(word, from+i+1)
			}
		}
	}
}
