package pipelineoracle

import "slices"

// Group returns the items that the named ids stand for, sorted. Several
// ids stand for exactly themselves. One stands for itself with what is
// below it, or where that is nothing with its siblings, and with whatever
// blocked_by joins to these, in either direction, over any number of
// steps. An item with sub-items is in no group.
func Group(all []Item, named ...string) []Item {
	work := keep(all, func(i Item) bool { return len(subItems(all, i.ID)) == 0 })
	members := keep(work, func(i Item) bool { return slices.Contains(named, i.ID) })
	if len(named) != 1 {
		return sorted(members)
	}
	if len(subItems(all, named[0])) > 0 {
		members = keep(work, func(i Item) bool { return isBelow(all, i, named[0]) })
	} else if len(members) == 1 && members[0].Parent != "" {
		parent := members[0].Parent
		members = keep(work, func(i Item) bool { return i.Parent == parent })
	}
	for {
		more := keep(work, func(i Item) bool {
			return contains(members, i.ID) || slices.ContainsFunc(members, func(m Item) bool { return edge(i, m) })
		})
		if len(more) == len(members) {
			return sorted(members)
		}
		members = more
	}
}

// isBelow reports whether an item is a part of another one, or of one that
// is, at any depth.
func isBelow(all []Item, i Item, above string) bool {
	for range all {
		if i.Parent == above {
			return true
		}
		for _, parent := range all {
			if parent.ID == i.Parent {
				i = parent
				break
			}
		}
	}
	return false
}

// edge reports whether one of the two items is blocked by the other.
func edge(a, b Item) bool {
	return slices.Contains(a.BlockedBy, b.ID) || slices.Contains(b.BlockedBy, a.ID)
}

// Primary returns the first of a group in dependency order, of several
// the one with the lowest number; found is false where there is none,
// because the group is empty or its items wait for each other.
func Primary(group []Item) (primary Item, found bool) {
	for _, i := range sorted(group) {
		if !slices.ContainsFunc(i.BlockedBy, func(id string) bool { return contains(group, id) }) {
			return i, true
		}
	}
	return Item{}, false
}
