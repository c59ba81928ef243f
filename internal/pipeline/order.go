package pipeline

import (
	"container/heap"
	"slices"
	"sort"
)

// dependencyOrder returns items so that each comes after those of them that it is blocked by, and as far as that leaves a choice
// by number. Of items that wait for each other, which no valid plan has, the one with the lowest number comes first.
func dependencyOrder(items []*Item) []*Item {
	o := newOrder(items)
	ordered := make([]*Item, 0, len(items))
	for first := 0; len(ordered) < len(items); {
		if o.ready.Len() == 0 {
			for o.placed[first] {
				first++
			}
			o.free(first)
		}
		next := heap.Pop(&o.ready).(int)
		ordered = append(ordered, o.items[next])
		for _, other := range o.blocks[o.items[next].ID] {
			if o.waits[other]--; o.waits[other] == 0 {
				o.free(other)
			}
		}
	}
	return ordered
}

// An order is the state of a topological sort. Items are known by their places.
type order struct {
	items  []*Item          // by number
	blocks map[string][]int // the items that an id blocks
	waits  []int            // for how many others each item waits
	placed []bool           // what has its place in the order, or is ready
	ready  places
}

// newOrder returns the order in which nothing has its place yet.
func newOrder(items []*Item) *order {
	o := &order{items: slices.SortedFunc(slices.Values(items), compareItems), blocks: map[string][]int{}}
	o.waits, o.placed = make([]int, len(items)), make([]bool, len(items))
	known := make(map[string]bool, len(items))
	for _, it := range items {
		known[it.ID] = true
	}
	for i, it := range o.items {
		for _, id := range it.BlockedBy {
			if known[id] {
				o.blocks[id] = append(o.blocks[id], i)
				o.waits[i]++
			}
		}
		if o.waits[i] == 0 {
			o.free(i)
		}
	}
	return o
}

// free makes an item ready, once.
func (o *order) free(i int) {
	if !o.placed[i] {
		o.placed[i] = true
		heap.Push(&o.ready, i)
	}
}

// places is a heap of places, the lowest first.
type places struct{ sort.IntSlice }

func (p *places) Push(x any) { p.IntSlice = append(p.IntSlice, x.(int)) }

func (p *places) Pop() any {
	last := len(p.IntSlice) - 1
	x := p.IntSlice[last]
	p.IntSlice = p.IntSlice[:last]
	return x
}
