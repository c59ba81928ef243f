package pipeline

import (
	"fmt"
	"strings"
	"testing"
)

func TestStreams(t *testing.T) {
	for _, c := range []struct {
		name  string
		items []string
		want  string // each stream: its id, its primary, and its shared files
	}{
		{"none", nil, ""},
		{"one", []string{"w-a #42 files=a.go"}, "stream-42 GH-42 []"},
		{"a group of two is one stream", []string{"w-a #42 files=a.go", "w-b #44 files=b.go"}, "stream-42-44 GH-42 []"},
		{"neither files nor edges", []string{"w-a #3", "w-b #1", "w-c #2"}, "stream-1 GH-1 []; stream-2 GH-2 []; stream-3 GH-3 []"},
		{
			"a shared file",
			[]string{"w-a #44 files=a.go", "w-b #43", "w-c #42 files=b.go,a.go"},
			"stream-42-44 GH-42 [a.go]; stream-43 GH-43 []",
		},
		{
			"files in a chain",
			[]string{"w-a #1 files=a.go,b.go", "w-b #2 files=b.go,c.go", "w-c #3 files=c.go,d.go", "w-d #4 files=e.go"},
			"stream-1-2-3 GH-1 [b.go c.go]; stream-4 GH-4 []",
		},
		{
			"an edge",
			[]string{"w-a #1 blocked=w-c", "w-b #2", "w-c #3"},
			"stream-1-3 GH-3 []; stream-2 GH-2 []",
		},
		{
			"an edge to an item that is not in the set",
			[]string{"w-a #1 blocked=w-x", "w-b #2 blocked=w-x", "w-c #3"},
			"stream-1 GH-1 []; stream-2 GH-2 []; stream-3 GH-3 []",
		},
		{
			"a file and an edge",
			[]string{"w-a #1 blocked=w-b", "w-b #2 files=a.go", "w-c #3 files=a.go"},
			"stream-1-2-3 GH-2 [a.go]",
		},
		{
			"one file in two spellings",
			[]string{"w-a #1 files=./src//a.go", "w-b #2", "w-c #3 files=src/a.go"},
			"stream-1-3 GH-1 [src/a.go]; stream-2 GH-2 []",
		},
		{
			"a file named twice by one item is not shared",
			[]string{"w-a #1 files=a.go,./a.go", "w-b #2", "w-c #3"},
			"stream-1 GH-1 []; stream-2 GH-2 []; stream-3 GH-3 []",
		},
		{
			"numbers in their order, not that of text; ids after them",
			[]string{"w-z files=a", "w-y", "w-b #100 files=a", "w-a #9 files=a"},
			"stream-9-100-w-z GH-9 [a]; stream-w-y w-y []",
		},
		{
			"an item and a file of one name",
			[]string{"w-a #1", "w-b #2 files=w-a", "w-c #3"},
			"stream-1 GH-1 []; stream-2 GH-2 []; stream-3 GH-3 []",
		},
	} {
		s := group(t, parse(t, c.items...)).Streams()
		var got []string
		for _, stream := range s.Streams {
			got = append(got, fmt.Sprint(stream.ID, " ", stream.PrimaryIssue, " ", stream.SharedFiles))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, strings.Join(got, "; "), c.want)
		}
		if s.TotalIssues != len(c.items) || s.TotalStreams != len(s.Streams) {
			t.Errorf("%s: %d items, %d streams", c.name, s.TotalIssues, s.TotalStreams)
		}
	}
}

func TestRationale(t *testing.T) {
	for _, c := range []struct {
		items []string
		want  string
	}{
		{nil, "there are no items"},
		{[]string{"w-a"}, "one item is one stream"},
		{[]string{"w-a", "w-b"}, "a group of two forms one stream"},
		{[]string{"w-a files=a", "w-b files=a", "w-c blocked=w-a"}, "shared files or dependencies join all 3 items"},
		{[]string{"w-a", "w-b", "w-c"}, "the 3 items share no files and do not depend on each other"},
		{[]string{"w-a files=a", "w-b files=a", "w-c"}, "shared files and dependencies join 3 items into 2 streams"},
	} {
		if got := group(t, parse(t, c.items...)).Streams().Rationale; got != c.want {
			t.Errorf("%v: %s, want %s", c.items, got, c.want)
		}
	}
}

func TestStreamsAsJSON(t *testing.T) {
	items := parse(t, "w-a #42 files=a.go", "w-b #44 files=a.go", "w-c")
	compareJSON(t, group(t, items).Streams(), `{
		"streams": [
			{"id": "stream-42-44", "issues": [42, 44], "sharedFiles": ["a.go"], "primaryIssue": 42},
			{"id": "stream-w-c", "issues": ["w-c"], "sharedFiles": [], "primaryIssue": "w-c"}
		],
		"totalIssues": 3, "totalStreams": 2,
		"rationale": "shared files and dependencies join 3 items into 2 streams"
	}`)
	compareJSON(t, group(t, nil).Streams(), `{"streams": [], "totalIssues": 0, "totalStreams": 0, "rationale": "there are no items"}`)
}
