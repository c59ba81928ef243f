package plan

import (
	"cmp"
	"slices"
	"strings"
)

// canonical compares two records by identity: the spec first, records without
// an id by kind and bytes, then all others by id, a task before its
// tombstones. Lines in this order rarely conflict in a plain-text merge, where
// lines that two people append always do.
func canonical(a, b Record) int {
	if order := cmp.Compare(rank(a), rank(b)); order != 0 {
		return order
	}
	if order := strings.Compare(a.id, b.id); order != 0 {
		return order
	}
	return cmp.Or(
		cmp.Compare(a.kind.rank(), b.kind.rank()),
		strings.Compare(string(a.kind), string(b.kind)),
		strings.Compare(a.JSON(), b.JSON()),
	)
}

func rank(r Record) int {
	switch {
	case r.kind == KindSpec:
		return 0
	case r.id == "":
		return 1
	}
	return 2
}

func (k Kind) rank() int {
	switch k {
	case KindTask, KindIssue:
		return 0
	case KindReject:
		return 1
	}
	return 2
}

// IsCanonical tells whether the records stand in the canonical order.
func (p *Plan) IsCanonical() bool { return slices.IsSortedFunc(p.records, canonical) }

// Older compares two tasks or issues of one plan by age: those without a time
// of creation first, by their place in the file, then by time, then by id.
func Older(a, b Record) int {
	created := strings.Compare(a.CreatedAt(), b.CreatedAt())
	if created == 0 && a.CreatedAt() == "" {
		return cmp.Compare(place(a), place(b))
	}
	return cmp.Or(created, strings.Compare(a.id, b.id))
}

// place is the record's line; a new record stands behind all lines.
func place(r Record) int {
	if r.line == 0 {
		return int(^uint(0) >> 1)
	}
	return r.line
}

// keepOrder is called before records change; the function that it returns,
// after. It makes a plan that was canonical canonical again, and leaves any
// other as it is: existing lines keep their places and new ones stand last.
func (p *Plan) keepOrder() func() {
	sorted := p.IsCanonical()
	return func() {
		if sorted {
			slices.SortStableFunc(p.records, canonical)
		}
	}
}

// add puts a new record last.
func (p *Plan) add(r Record) {
	r.ending = p.ending()
	p.records = append(p.records, r)
}

// ending is how lines of this file end.
func (p *Plan) ending() string {
	if len(p.records) > 0 && p.records[0].ending != "" {
		return p.records[0].ending
	}
	return "\n"
}

// remove takes the records out that a function names, and returns them.
func (p *Plan) remove(which func(Record) bool) []Record {
	var removed []Record
	p.records = slices.DeleteFunc(p.records, func(r Record) bool {
		if !which(r) {
			return false
		}
		removed = append(removed, r)
		return true
	})
	return removed
}
