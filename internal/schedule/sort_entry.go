package schedule

import (
	"cmp"
	"slices"

	"git-ralph/internal/plan"
)

// A sortEntry holds what the order of work compares of a record. It is small and
// made once for each record, because sorting compares it many times.
type sortEntry struct {
	key uint64 // the rank, and below it the time of creation, 0 where plan.CompareAge is needed
	at  int32  // place among the records
}

// rankShift makes room for Record.CreatedNumber below the rank.
const rankShift = 57

func (e sortEntry) rank() uint64 { return e.key >> rankShift }

func (e sortEntry) created() uint64 { return e.key & (1<<rankShift - 1) }

func (s *Schedule) newSortEntry(at, rank int) sortEntry {
	r := &s.records[at]
	s.foreign = s.foreign || r.CreatedNumber() == 0 && r.CreatedAt() != ""
	return sortEntry{key: uint64(rank)<<rankShift | r.CreatedNumber(), at: int32(at)}
}

func (s *Schedule) compare(a, b sortEntry) int {
	if a.rank() != b.rank() || a.key != b.key && a.created() != 0 && b.created() != 0 {
		return cmp.Compare(a.key, b.key)
	}
	return cmp.Or(plan.CompareAge(&s.records[a.at], &s.records[b.at]), cmp.Compare(a.at, b.at))
}

// sort puts entries into the order of compare. Their keys are sorted byte by byte, which is faster; then only entries with
// the same key are compared. A time of creation that is not in the form that we write is not in the key.
func (s *Schedule) sort(entries []sortEntry) {
	if s.foreign {
		slices.SortFunc(entries, s.compare)
		return
	}
	sortByKey(entries)
	for len(entries) > 0 {
		same := 1
		for same < len(entries) && entries[same].key == entries[0].key {
			same++
		}
		slices.SortFunc(entries[:same], s.compare)
		entries = entries[same:]
	}
}

// sortByKey is a radix sort: a stable sort by each byte of the key, the lowest first.
func sortByKey(entries []sortEntry) {
	from, to := entries, make([]sortEntry, len(entries))
	for shift := 0; shift < 64; shift += 8 {
		var places [256]int // by byte: how many have it, then where the next one goes
		for _, e := range from {
			places[byte(e.key>>shift)]++
		}
		if slices.Contains(places[:], len(from)) {
			continue // all have the same one
		}
		next := 0
		for b, n := range places {
			places[b] = next
			next += n
		}
		for _, e := range from {
			b := byte(e.key >> shift)
			to[places[b]] = e
			places[b]++
		}
		from, to = to, from
	}
	copy(entries, from)
}
