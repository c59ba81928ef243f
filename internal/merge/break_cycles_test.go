package merge

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawCycleGroup draws edges among tasks, of which some stay whatever they close.
func drawCycleGroup(t *rapid.T, limit int) *cycleGroup {
	n := rapid.IntRange(1, limit).Draw(t, "tasks")
	k := &cycleGroup{fixed: make([][]int32, n), tried: make([][]int32, n)}
	for i := range n {
		k.ids = append(k.ids, fmt.Sprintf("t-%04d", i))
	}
	seen := map[[2]int]bool{}
	for range rapid.IntRange(0, 3*n).Draw(t, "edges") {
		e := [2]int{rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")}
		if seen[e] {
			continue
		}
		seen[e] = true
		if rapid.IntRange(0, 7).Draw(t, "fixed") == 0 {
			k.fixed[e[0]] = append(k.fixed[e[0]], int32(e[1]))
		} else {
			k.tried[e[0]] = append(k.tried[e[0]], int32(e[1]))
		}
		k.edges++
	}
	for _, some := range k.tried {
		slices.Sort(some)
	}
	return k
}

// leads searches everything, as a check that shares nothing with what it checks.
func (c *cycleGroup) leads(kept [][]int32, from, to int32) bool {
	seen := map[int32]bool{}
	var visit func(v int32) bool
	visit = func(v int32) bool {
		if v == to {
			return true
		}
		if seen[v] {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(append(slices.Clone(c.fixed[v]), kept[v]...), visit)
	}
	return visit(from)
}

// TestUntie: the edges that stay are those that stay when each is tried by itself,
// in sorted order, with a search of its own; each one that goes has its cycle named.
func TestUntie(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if rapid.IntRange(0, 49).Draw(t, "seldom") > 0 {
			checkBreakCycles(t, drawCycleGroup(t, 12))
		} else {
			checkBreakCycles(t, drawCycleGroup(t, 200)) // several blocks
		}
	})
}

func checkBreakCycles(t *rapid.T, k *cycleGroup) {
	want := make([][]int32, len(k.ids))
	var gone []droppedEdge
	for v, some := range k.tried {
		for _, w := range some {
			if k.leads(want, w, int32(v)) {
				gone = append(gone, droppedEdge{int32(v), w})
			} else {
				want[v] = append(want[v], w)
			}
		}
	}
	kept, dropped := k.breakCycles()
	if fmt.Sprint(kept) != fmt.Sprint(want) || fmt.Sprint(dropped) != fmt.Sprint(gone) {
		t.Fatalf("fixed %v, tried %v: kept %v, want %v", k.fixed, k.tried, kept, want)
	}
	for _, d := range dropped {
		path := k.path(kept, d.to, d.from)
		slices.Reverse(path)
		if len(path) == 0 || path[0] != d.to || path[len(path)-1] != d.from {
			t.Fatalf("%v: %v is no path back", d, path)
		}
		for i, v := range path[1:] {
			if from := path[i]; !slices.Contains(append(slices.Clone(k.fixed[from]), kept[from]...), v) {
				t.Fatalf("%v: %v is no path", d, path)
			}
		}
	}
}

// Where trying each edge takes too long, what stays closes no cycle either, but for
// those of edges that stay whatever they close.
func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawCycleGroup(t, 12)
		part := components(k.fixed)
		kept, _ := k.cut(part)
		for v, some := range kept {
			for _, w := range some {
				if k.leads(kept, w, int32(v)) {
					t.Fatalf("fixed %v, kept %v: %d and %d lead to each other", k.fixed, kept, v, w)
				}
			}
		}
	})
}
