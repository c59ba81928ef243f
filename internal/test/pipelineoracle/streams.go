package pipelineoracle

import (
	"slices"
	"strings"
)

// A Stream is a part of a group that shares neither files nor
// dependencies with the rest.
type Stream struct {
	ID     string
	Items  []Item
	Shared []string // files of more than one of its items, sorted
}

// Streams returns the streams of a group, by their first items.
func Streams(group []Item) []Stream {
	var streams []Stream
	left := sorted(group)
	for len(left) > 0 {
		part := left[:1]
		if len(group) <= 2 {
			part = left
		}
		for {
			more := keep(left, func(i Item) bool {
				return contains(part, i.ID) || slices.ContainsFunc(part, func(p Item) bool { return joined(i, p) })
			})
			if len(more) == len(part) {
				break
			}
			part = more
		}
		streams = append(streams, stream(part))
		left = keep(left, func(i Item) bool { return !contains(part, i.ID) })
	}
	return streams
}

// joined reports whether two items must not be worked on apart.
func joined(a, b Item) bool {
	return edge(a, b) || slices.ContainsFunc(a.Files, func(f string) bool { return slices.Contains(b.Files, f) })
}

func stream(items []Item) Stream {
	s := Stream{Items: items}
	names := []string{"stream"}
	for _, a := range items {
		names = append(names, a.Name())
		for _, b := range items {
			for _, f := range a.Files {
				if a.ID != b.ID && slices.Contains(b.Files, f) && !slices.Contains(s.Shared, f) {
					s.Shared = append(s.Shared, f)
				}
			}
		}
	}
	slices.Sort(s.Shared)
	s.ID = strings.Join(names, "-")
	return s
}
