package main

import (
	"strings"
	"testing"
)

// A goal that is a ratio, a count, a size or a difference is shown as such, and held.
func TestTable(t *testing.T) {
	var out strings.Builder
	missed := printTable(&out, []row{
		{what: "a : b", ours: "1.00 ms", rival: "2.00 ms", value: 0.5, goal: 0.5},
		{what: "far", ours: "2.00 ms", rival: "1500.00 ms", value: 2.0 / 1500, goal: 1000},
		{what: "processes", ours: "7", value: 7, goal: 6},
		{what: "memory", ours: "63.9 MB", value: 63.9, goal: 64, unit: "MB"},
		{what: "over", ours: "5.10 ms", rival: "3.00 ms", value: 2.1, goal: 2, unit: "ms"},
	})
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"what ours rival figure goal ok", "- - - - - -", "a : b 1.00 ms 2.00 ms 0.50 <= 0.5 ok", "far 2.00 ms 1500.00 ms 0.001 <= 1000 ok", "processes 7 <= 6 MISS",
		"memory 63.9 MB <= 64 MB ok", "over 5.10 ms 3.00 ms +2.10 ms <= 2 ms MISS",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") || missed != 2 {
		t.Errorf("%d missed:\n%s", missed, got)
	}
}
