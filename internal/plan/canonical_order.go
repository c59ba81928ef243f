package plan

import (
	"cmp"
	"slices"
	"strings"
)

// compareCanonical compares two records in the canonical order; see SortKey.Compare.
func compareCanonical(a, b *Record) int {
	x, y := a.SortKey(), b.SortKey()
	return x.Compare(&y)
}

// A SortKey is the part of a record that decides its place in the canonical
// order. It can be made without parsing the whole line.
type SortKey struct {
	Kind Kind
	ID   string // "" where there is none
	Text string // the line, without its ending
}

// SortKey returns the record's place in the canonical order.
func (r *Record) SortKey() SortKey { return SortKey{r.kind, r.keptText(keptID), r.text} }

// Compare compares two records in the canonical order: the spec first, records
// without an id by kind and bytes, then all others by id, a task before its
// tombstones. Lines in this order rarely conflict in a plain-text merge; lines
// that two people append to a file always do.
func (k *SortKey) Compare(other *SortKey) int {
	rank := k.rank()
	if order := cmp.Compare(rank, other.rank()); order != 0 {
		return order
	}
	if order := strings.Compare(k.ID, other.ID); order != 0 {
		return order
	}
	if order := cmp.Compare(k.Kind.rank(), other.Kind.rank()); order != 0 && rank == rankWithID {
		return order
	}
	return cmp.Or(strings.Compare(string(k.Kind), string(other.Kind)), strings.Compare(k.Text, other.Text))
}

// The ranks of records in the canonical order.
const (
	rankSpec      = iota
	rankWithoutID // by kind and bytes
	rankWithID
)

func (k *SortKey) rank() int {
	switch {
	case k.Kind == KindSpec:
		return rankSpec
	case k.ID == "":
		return rankWithoutID
	}
	return rankWithID
}

func (k Kind) rank() int {
	switch {
	case k.HasUniqueID():
		return 0
	case k == KindReject:
		return 1
	}
	return 2
}

// IsCanonical reports whether the records are in the canonical order, with no
// empty lines between them.
func (p *Plan) IsCanonical() bool {
	return inPlace(p.records) == len(p.records) && !p.hasBlank()
}

// inPlace returns how many records from the first on are in the canonical
// order.
func inPlace(records []Record) int {
	for i := 1; i < len(records); i++ {
		if compareCanonical(&records[i-1], &records[i]) > 0 {
			return i
		}
	}
	return len(records)
}

// arranged returns the records in the canonical order. Usually most of them are
// in place already, with a few new ones after them.
func arranged(records []Record) []Record {
	front := records[:inPlace(records)]
	back := slices.Clone(records[len(front):])
	if len(back) == 0 {
		return records
	}
	slices.SortFunc(back, func(a, b Record) int { return compareCanonical(&a, &b) })
	merged := make([]Record, 0, len(records))
	for len(front) > 0 && len(back) > 0 {
		if compareCanonical(&back[0], &front[0]) < 0 {
			front, back = back, front
		}
		merged, front = append(merged, front[0]), front[1:]
	}
	return append(append(merged, front...), back...)
}
