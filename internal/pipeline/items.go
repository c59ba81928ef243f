package pipeline

import (
	"fmt"
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Items holds all items of a plan.
type Items struct {
	byID     map[string]*Item
	byNumber map[int]*Item
	all      []*Item
	subItems map[string][]*Item // by the id of their parent
	named    map[jsonl.Value][]string
	states   map[string]string // of epics
}

// NewItems returns the items of a plan. What is wrong with two of them together is left out, so that everything else can go on: an item
// above itself has no parent, and a number that several items have is only the first one's.
func NewItems(items []Item) *Items {
	s := &Items{
		byID: make(map[string]*Item, len(items)), byNumber: map[int]*Item{}, subItems: map[string][]*Item{},
		named: map[jsonl.Value][]string{}, states: map[string]string{},
	}
	parents := make(map[string]string, len(items))
	for i := range items {
		it := &items[i]
		s.all = append(s.all, it)
		s.byID[it.ID] = it
		parents[it.ID] = it.Parent
		if s.byNumber[it.Number] != nil {
			it.Number = 0
		} else if it.Number > 0 {
			s.byNumber[it.Number] = it
		}
	}
	circles := plan.OwnAncestors(parents)
	for _, it := range s.all {
		if circles[it.ID] {
			it.Parent = ""
		}
		if it.Parent != "" {
			s.subItems[it.Parent] = append(s.subItems[it.Parent], it)
		}
	}
	return s
}

// An UnknownItemError says that there is no item of an id.
type UnknownItemError struct{ ID string }

func (e *UnknownItemError) Error() string {
	return fmt.Sprintf("invalid item %q: want the id of an item of the plan", e.ID)
}

// find returns the items of ids, each once.
func (s *Items) find(ids []string) ([]*Item, error) {
	var found set
	for _, id := range ids {
		it := s.byID[id]
		if it == nil {
			return nil, &UnknownItemError{id}
		}
		found.add(it)
	}
	return found.items, nil
}

// Epic reports whether an item has sub-items. Nothing works on it but on those.
func (s *Items) Epic(id string) bool { return len(s.subItems[id]) > 0 }

// State returns the state of an item. An epic is done when all of its sub-items are, not counting those that are canceled.
func (s *Items) State(id string) string {
	it := s.byID[id]
	if it == nil {
		return ""
	}
	if !s.Epic(id) {
		return it.State
	}
	if state, known := s.states[id]; known {
		return state
	}
	s.states[id] = it.State
	if s.isDone(id) {
		s.states[id] = Done
	}
	return s.states[id]
}

// AllFinal reports whether nothing is left to do for any item, of which there are some.
func (s *Items) AllFinal() bool {
	return len(s.all) > 0 && !slices.ContainsFunc(s.all, func(it *Item) bool { return !Final(s.State(it.ID)) })
}

// isDone reports whether all sub-items of an epic are done or canceled, and any is done.
func (s *Items) isDone(epic string) bool {
	done := false
	for _, sub := range s.subItems[epic] {
		switch s.State(sub.ID) {
		case Done:
			done = true
		case Canceled:
		default:
			return false
		}
	}
	return done
}

// leaves returns the items below an epic that are no epics themselves.
func (s *Items) leaves(epic *Item) []*Item {
	below := set{}
	below.add(epic)
	var leaves []*Item
	for i := 0; i < len(below.items); i++ {
		id := below.items[i].ID
		if !s.Epic(id) {
			leaves = append(leaves, below.items[i])
		}
		for _, sub := range s.subItems[id] {
			below.add(sub)
		}
	}
	return leaves
}

// A set holds items in the order in which they were added.
type set struct {
	items []*Item
	ids   map[string]bool
}

// add adds an item that is not in the set yet.
func (s *set) add(it *Item) {
	if s.ids[it.ID] {
		return
	}
	if s.ids == nil {
		s.ids = map[string]bool{}
	}
	s.ids[it.ID] = true
	s.items = append(s.items, it)
}

// addAll adds the items that are not in the set yet.
func (s *set) addAll(items []*Item) {
	for _, it := range items {
		s.add(it)
	}
}
