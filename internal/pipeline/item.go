package pipeline

import (
	"cmp"
	"encoding/json"
	"strconv"
)

// An Item is what the pipeline needs to know of one item of the plan.
type Item struct {
	ID        string
	Number    int // as GitHub assigned it, else 0
	Title     string
	State     string // "" where it has none yet
	Estimate  string // XS, S, M, L, XL or ""
	Parent    string // the id of the item that it is a part of
	BlockedBy []string
	Files     []string // that will be modified, as research found
	Artifacts []string // the files that work on it has written
	Escalated string   // the state that it had before a person was needed
	Round     int      // how many times it was at its start, from 1: it is counted when the item moves back
	CreatedAt string
	planned   bool // it has a plan, which may have been sent back
}

// Ref returns what an item is called.
func (it *Item) Ref() Ref { return Ref{it.Number, it.ID} }

// large reports whether an item is too large to be worked on in one piece.
func (it *Item) large() bool {
	return it.Estimate == "M" || it.Estimate == "L" || it.Estimate == "XL"
}

// A Ref names an item: by its number where GitHub assigned one, else by its id.
type Ref struct {
	Number int
	ID     string
}

func (r Ref) String() string {
	if r.Number > 0 {
		return "GH-" + strconv.Itoa(r.Number)
	}
	return r.ID
}

// MarshalJSON writes the number, or the id of an item without one.
func (r Ref) MarshalJSON() ([]byte, error) {
	if r.Number > 0 {
		return json.Marshal(r.Number)
	}
	return json.Marshal(r.ID)
}

// Compare orders references by number. Those without one come last, by id.
func (r Ref) Compare(other Ref) int {
	if (r.Number > 0) != (other.Number > 0) {
		return cmp.Compare(other.Number, r.Number)
	}
	return cmp.Or(cmp.Compare(r.Number, other.Number), cmp.Compare(r.ID, other.ID))
}

// compareItems orders items by their references.
func compareItems(a, b *Item) int { return a.Ref().Compare(b.Ref()) }
