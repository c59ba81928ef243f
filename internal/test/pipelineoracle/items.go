package pipelineoracle

import (
	"slices"
	"strconv"
)

// An Item is what the rules look at.
type Item struct {
	ID        string
	Number    int // GitHub's, 0 where it has none
	State     string
	Estimate  string
	Parent    string   // id of the item that this one is a part of
	BlockedBy []string // ids
	Files     []string
}

// Name returns what ids of streams and people call the item: its number,
// else its id.
func (i Item) Name() string {
	if i.Number != 0 {
		return strconv.Itoa(i.Number)
	}
	return i.ID
}

// lower reports whether a comes before b where nothing else decides: by
// number, those without one last, by id.
func lower(a, b Item) bool {
	if (a.Number == 0) != (b.Number == 0) {
		return a.Number != 0
	}
	if a.Number != b.Number {
		return a.Number < b.Number
	}
	return a.ID < b.ID
}

func sorted(items []Item) []Item {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b Item) int {
		if lower(a, b) {
			return -1
		}
		return 1
	})
	return items
}

func subItems(all []Item, id string) []Item {
	var subs []Item
	for _, i := range all {
		if i.Parent == id {
			subs = append(subs, i)
		}
	}
	return subs
}

// Read returns items without what no item can be: a part of itself.
func Read(items []Item) []Item {
	read := slices.Clone(items)
	for n, i := range items {
		if isBelow(items, i, i.ID) {
			read[n].Parent = ""
		}
	}
	return read
}

func contains(items []Item, id string) bool {
	return slices.ContainsFunc(items, func(i Item) bool { return i.ID == id })
}

func keep(items []Item, wanted func(Item) bool) []Item {
	var kept []Item
	for _, i := range items {
		if wanted(i) {
			kept = append(kept, i)
		}
	}
	return kept
}
