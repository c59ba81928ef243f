package cache

import (
	"bytes"
	"encoding/hex"
	"sort"
	"strings"
)

// Extends reports whether so many commits more can be kept without writing the others again.
func (k *Contents) Extends(fresh int) bool { return len(k.files) < maxFiles && fresh <= k.Len() }

// HasInvalidPlan reports whether a commit has a plan that is not valid.
func (k *Contents) HasInvalidPlan() bool {
	for i := range k.files {
		if k.files[i].invalid > 0 {
			return true
		}
	}
	return false
}

// VisitRecordIDs calls visit for each commit that records something, the newest first, with its place and the ids of the records,
// until visit returns false.
func (k *Contents) VisitRecordIDs(visit func(place int32, ids []string) bool) {
	var ids []string
	for i := len(k.files) - 1; i >= 0; i-- {
		f := &k.files[i]
		for n := f.entries - 1; n >= 0; n-- {
			ids = ids[:0]
			for _, at := range f.aboutEntry(n) {
				ids = append(ids, f.strings.at(at))
			}
			if !visit(int32(k.Len()-1-f.first)-int32(number(f.entryOf, n)), ids) {
				return
			}
		}
	}
}

// aboutEntry returns the numbers of the ids that an entry is about.
func (f *file) aboutEntry(n int) (numbers []uint32) {
	start := 0
	if n > 0 {
		start = int(number(f.aboutEnd, n-1))
	}
	for i := start; i < min(int(number(f.aboutEnd, n)), len(f.about)/4); i++ {
		numbers = append(numbers, number(f.about, i))
	}
	return numbers
}

// AddRenamed adds to ids those that merges gave the records, or that the records had before.
func (k *Contents) AddRenamed(ids map[string]bool) {
	for before := -1; before < len(ids); {
		before = len(ids)
		for i := range k.files {
			f := &k.files[i]
			for j := range len(f.pairs) / 8 {
				a, b := f.strings.at(number(f.pairs, 2*j)), f.strings.at(number(f.pairs, 2*j+1))
				if ids[a] || ids[b] {
					ids[a], ids[b] = true, true
				}
			}
		}
	}
}

// Oldest returns the place of the oldest commit that records something of one of the records, -1 for none.
func (k *Contents) Oldest(ids map[string]bool) int32 {
	for i := range k.files {
		f := &k.files[i]
		known := make([]byte, f.strings.n) // of a string: 1 where it is wanted, 2 where not
		for at := range len(f.about) / 4 {
			n := number(f.about, at)
			if known[n] == 0 {
				known[n] = 2
				if ids[f.strings.at(n)] {
					known[n] = 1
				}
			}
			if known[n] == 1 {
				return int32(k.Len()-1-f.first) - int32(number(f.entryOf, f.entryAbout(at)))
			}
		}
	}
	return -1
}

// entryAbout returns the entry to which an entry of the ids belongs.
func (f *file) entryAbout(at int) int {
	n := sort.Search(f.entries, func(n int) bool { return int(number(f.aboutEnd, n)) > at })
	return min(n, f.entries-1)
}

// HasOlderCommit reports whether the id of a commit that is none of the newest begins with digits, two at least.
func (k *Contents) HasOlderCommit(newest int, digits string) bool {
	whole, err := hex.DecodeString(digits[:len(digits)&^1])
	if err != nil || len(whole) == 0 {
		return false
	}
	for i := range k.files {
		f := &k.files[i]
		from := sort.Search(len(f.sorted)/4, func(n int) bool { return bytes.Compare(f.sortedID(n), whole) >= 0 })
		for n := from; n < len(f.sorted)/4 && bytes.HasPrefix(f.sortedID(n), whole); n++ {
			place := k.Len() - 1 - f.first - int(number(f.sorted, n))
			if place >= newest && strings.HasPrefix(hex.EncodeToString(f.sortedID(n)), digits) {
				return true
			}
		}
	}
	return false
}

// sortedID returns an id by its place among the sorted ones of the file.
func (f *file) sortedID(n int) []byte { return f.ids[int(number(f.sorted, n))*f.size:][:f.size] }
