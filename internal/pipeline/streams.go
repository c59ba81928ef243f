package pipeline

import (
	"fmt"
	"path"
	"slices"
	"strconv"
)

// Streams says which items can be worked on at the same time. It is what `git ralph pipeline streams` prints.
type Streams struct {
	Streams      []Stream `json:"streams"`
	TotalIssues  int      `json:"totalIssues"`
	TotalStreams int      `json:"totalStreams"`
	Rationale    string   `json:"rationale"`
}

// A Stream is items that have to be worked on one after another, since they modify the same files or wait for each other.
type Stream struct {
	ID           string   `json:"id"`
	Issues       []Ref    `json:"issues"`
	SharedFiles  []string `json:"sharedFiles"` // that more than one of its items will modify
	PrimaryIssue Ref      `json:"primaryIssue"`
}

// maxTogether is how many items are too few to be worth more than one stream.
const maxTogether = 2

// Streams divides a group into streams. What is not in the group joins none of them.
func (g *Group) Streams() Streams {
	members := slices.SortedFunc(slices.Values(g.Members), compareItems)
	s := Streams{Streams: []Stream{}, TotalIssues: len(members)}
	for _, items := range divide(members) {
		s.Streams = append(s.Streams, newStream(items))
	}
	s.TotalStreams = len(s.Streams)
	s.Rationale = s.rationale()
	return s
}

// divide returns the items of each stream. They are in the order of items, and so are the streams by their first one.
func divide(items []*Item) [][]*Item {
	u := newUnion(len(items))
	first := map[string]int{} // by the id of an item or the path of a file
	for i, it := range items {
		first["id "+it.ID] = i
		for _, file := range files(it) {
			if other, known := first["file "+file]; known {
				u.join(i, other)
			} else {
				first["file "+file] = i
			}
		}
	}
	for i, it := range items {
		for _, id := range it.BlockedBy {
			if other, known := first["id "+id]; known {
				u.join(i, other)
			}
		}
		if len(items) <= maxTogether {
			u.join(i, 0)
		}
	}
	return gather(items, u)
}

// gather returns the items of each set of a union.
func gather(items []*Item, u union) [][]*Item {
	var streams [][]*Item
	at := map[int]int{} // the place of a stream, by its root
	for i, it := range items {
		root := u.root(i)
		if _, known := at[root]; !known {
			at[root] = len(streams)
			streams = append(streams, nil)
		}
		streams[at[root]] = append(streams[at[root]], it)
	}
	return streams
}

// files returns the files of an item, each once and in one spelling.
func files(it *Item) []string {
	var names []string
	for _, file := range it.Files {
		if file != "" {
			names = append(names, path.Clean(file))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// newStream returns the stream of items, which are in the order of their references.
func newStream(items []*Item) Stream {
	s := Stream{ID: "stream", SharedFiles: sharedFiles(items), PrimaryIssue: dependencyOrder(items)[0].Ref()}
	for _, it := range items {
		ref := it.Ref()
		s.Issues = append(s.Issues, ref)
		if ref.Number > 0 {
			s.ID += "-" + strconv.Itoa(ref.Number)
		} else {
			s.ID += "-" + ref.ID
		}
	}
	return s
}

// sharedFiles returns the files that more than one item will modify, sorted.
func sharedFiles(items []*Item) []string {
	shared := []string{}
	times := map[string]int{}
	for _, it := range items {
		for _, file := range files(it) {
			if times[file]++; times[file] == 2 {
				shared = append(shared, file)
			}
		}
	}
	slices.Sort(shared)
	return shared
}

// rationale says why the streams are what they are.
func (s *Streams) rationale() string {
	items, streams := s.TotalIssues, s.TotalStreams
	switch {
	case items == 0:
		return "there are no items"
	case items == 1:
		return "one item is one stream"
	case items <= maxTogether:
		return "a group of two forms one stream"
	case streams == 1:
		return fmt.Sprintf("shared files or dependencies join all %d items", items)
	case streams == items:
		return fmt.Sprintf("the %d items share no files and do not depend on each other", items)
	}
	return fmt.Sprintf("shared files and dependencies join %d items into %d streams", items, streams)
}
