package record

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A version gives its lines back, however it is kept.
func TestVersionsKeepTheirLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	table := NewLineTable()
	r := table.Reader()
	var lines []string
	var all []*Version
	var want [][]string
	for i := range 400 {
		for range random.IntN(4) {
			at := random.IntN(len(lines) + 1)
			if len(lines) > 60 || len(lines) > at && random.IntN(3) == 0 {
				lines = slices.Delete(lines, at%len(lines), at%len(lines)+1)
			} else {
				lines = slices.Insert(lines, at, fmt.Sprintf(`{"n": %d}`, random.IntN(i+1)))
			}
		}
		all = append(all, r.Read([]byte(strings.Join(lines, "\n"))))
		want = append(want, slices.Clone(lines))
	}
	deep := 0
	for _, i := range random.Perm(len(all)) {
		var got []string
		for _, n := range table.linesOf(all[i]) {
			got = append(got, table.lines[n].JSON())
		}
		if !slices.Equal(got, want[i]) {
			t.Fatalf("version %d: got %q, want %q", i, got, want[i])
		}
		deep = max(deep, all[i].depth)
	}
	if deep != maxBases {
		t.Errorf("the maxBases version has %d bases below it", deep)
	}
}
