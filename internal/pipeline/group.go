package pipeline

import (
	"slices"
)

// A Group is the items that go through the pipeline together, often just one.
type Group struct {
	Members []*Item // in dependency order; no epics
	items   *Items
}

// Group returns the group that ids name: one id stands for the items that belong to its item, several for exactly those.
func (s *Items) Group(ids ...string) (*Group, error) {
	members, err := s.find(ids)
	if err != nil {
		return nil, err
	}
	if len(members) == 1 {
		members = s.joined(members[0])
	}
	members = slices.DeleteFunc(members, func(it *Item) bool { return s.Epic(it.ID) })
	return &Group{dependencyOrder(members), s}, nil
}

// joined returns an item, its sub-items or else its siblings, and what these block or are blocked by, directly or not. It leaves
// out epics before it looks at what they block, so that naming an epic and naming one of its sub-items are the same.
func (s *Items) joined(it *Item) []*Item {
	var joined set
	add := func(items ...*Item) {
		for _, other := range items {
			if other != nil && !s.Epic(other.ID) {
				joined.add(other)
			}
		}
	}
	add(it)
	if s.Epic(it.ID) {
		add(s.leaves(it)...)
	} else {
		add(s.subItems[it.Parent]...)
	}
	blocks := s.blocks()
	for i := 0; i < len(joined.items); i++ {
		for _, id := range joined.items[i].BlockedBy {
			add(s.byID[id])
		}
		add(blocks[joined.items[i].ID]...)
	}
	return joined.items
}

// blocks returns the items that each item blocks, by its id.
func (s *Items) blocks() map[string][]*Item {
	blocks := map[string][]*Item{}
	for _, it := range s.all {
		for _, id := range it.BlockedBy {
			blocks[id] = append(blocks[id], it)
		}
	}
	return blocks
}

// Multiple reports whether there is more than one item in the group.
func (g *Group) Multiple() bool { return len(g.Members) > 1 }

// Primary returns the item that the group is named after, nil where there is none: the first in dependency order.
func (g *Group) Primary() *Item {
	if len(g.Members) == 0 {
		return nil
	}
	return g.Members[0]
}

// KnownStreams returns how many streams a group has, 0 as long as its research is not over.
func (g *Group) KnownStreams() int {
	if !g.Researched() {
		return 0
	}
	return g.Streams().TotalStreams
}

// Researched reports whether the research of all items is over, so that their files are known.
func (g *Group) Researched() bool {
	return !slices.ContainsFunc(g.Members, func(it *Item) bool {
		return it.State == "" || it.State == Backlog || needsResearch(it.State)
	})
}
