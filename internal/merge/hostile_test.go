package merge_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/merge"
)

// checkSteps: the work of a merge is bounded by the length of what is merged, times
// its logarithm, but for what two things may take: the edges of cycles, of which
// there are at most as many as commas and brackets, and prose, each stretch of
// which has a budget.
func checkSteps(t rapid.TB, base, x, y []byte, got merge.Result) {
	n := float64(len(base) + len(x) + len(y) + len(got.Data))
	edges := 0.0
	for _, data := range [][]byte{x, y} {
		for _, r := range decode(data).Records() {
			edges += float64(len(r.Deps()))
		}
	}
	limit := 1<<17 + 64*n*math.Log2(n+2) + 8*edges*math.Sqrt(edges) + 512*n
	if edges > 0 {
		limit += 1 << 21
	}
	if float64(got.Steps) > limit {
		t.Fatalf("%d steps for %.0f bytes and %.0f edges, want at most %.0f", got.Steps, n, edges, limit)
	}
}

// hostile makes plans of a size that once took a merge minutes.
var hostile = map[string]func(n int) (base, x, y string){
	"nested objects": func(n int) (string, string, string) {
		nest := func(leaf string) string {
			return task("t-1", `"x": `+strings.Repeat(`{"a": `, n)+leaf+strings.Repeat(`, "b": 1}`, n))
		}
		return nest("1"), nest("2"), nest("3")
	},
	"candidates": func(n int) (string, string, string) {
		side := func(who string) string {
			all := make([]string, n)
			for i := range all {
				all[i] = fmt.Sprintf(`"%s %d"`, who, i)
			}
			return task("t-1", `"notes": `+all[0]+`, "conflict": {"notes": [`+strings.Join(all, ", ")+`]}`)
		}
		return task("t-1", `"notes": "old"`), side("one"), side("two")
	},
	"objects as candidates": func(n int) (string, string, string) {
		side := func(who string) string {
			all := make([]string, n)
			for i := range all {
				all[i] = fmt.Sprintf(`{"%s": %d, "m%d": {}}`, who, i, i)
			}
			return task("t-1", `"x": `+all[0]+`, "conflict": {"x": [`+strings.Join(all, ", ")+`]}`)
		}
		return task("t-1", `"x": {}`), side("one"), side("two")
	},
	"cycles": func(n int) (string, string, string) {
		r := rand.New(rand.NewPCG(1, 2))
		side := func() string {
			var all []string
			for i := range n {
				deps := make([]string, 20)
				for j := range deps {
					deps[j] = fmt.Sprintf(`"t-%d"`, r.IntN(n))
				}
				all = append(all, task(fmt.Sprintf("t-%d", i), `"deps": [`+strings.Join(deps, ", ")+`]`))
			}
			return lines(all...)
		}
		bare := make([]string, n)
		for i := range bare {
			bare[i] = task(fmt.Sprintf("t-%d", i), "")
		}
		return lines(bare...), halfDeps(side(), 0), halfDeps(side(), 1)
	},
	"a large cycle of few edges": func(n int) (string, string, string) {
		side := func(half int) string {
			var all []string
			for i := range n {
				all = append(all, task(fmt.Sprintf("t-%06d", i), fmt.Sprintf(`"deps": ["t-%06d"]`, (i+1)%n)))
			}
			return halfDeps(lines(all...), half)
		}
		return halfDeps(side(0), 2), side(0), side(1)
	},
	"former ids": func(n int) (string, string, string) {
		side := func(members string) string {
			var all []string
			for i := range n {
				all = append(all, task(fmt.Sprintf("t-%d", i+1), fmt.Sprintf(`"renamed_from": ["t-%d", ""]%s`, i, members)))
			}
			return lines(all...)
		}
		return side(""), side(`, "x": 1`), side(`, "y": 1`)
	},
	"a chain of former ids in one record": func(n int) (string, string, string) {
		all := make([]string, n)
		var others []string
		for i := range all {
			all[i] = fmt.Sprintf(`"t-%d", ""`, i)
			others = append(others, task(fmt.Sprintf("t-%d", i), ""))
		}
		return lines(others...), lines(append(others, task("t-x", `"renamed_from": [`+strings.Join(all, ", ")+`]`))...), lines(others[1:]...)
	},
	"members": func(n int) (string, string, string) {
		side := func(v int) string {
			all := make([]string, n)
			for i := range all {
				all[i] = fmt.Sprintf(`"m%d": %d`, i, v+i%2)
			}
			return task("t-1", strings.Join(all, ", ")+`, "x": {`+strings.Join(all, ", ")+`}`)
		}
		return side(1), side(2), side(3)
	},
	"ids used twice": func(n int) (string, string, string) {
		side := func(who string) string {
			var all []string
			for i := range n {
				all = append(all, task(fmt.Sprintf("t-%d", i), fmt.Sprintf(`"name": "%s %d", "deps": ["t-%d"]`, who, i, max(i-1, 0))))
			}
			return lines(all...)
		}
		return "", side("one"), side("two")
	},
	"newcomers, each beside a reference to the next one": func(n int) (string, string, string) {
		var sides [3][]string
		for i := range n {
			id, waits := fmt.Sprintf("t-%d", i), fmt.Sprintf(`"deps": ["t-%d"]`, i+1)
			if i == n-1 {
				waits = `"notes": "changed"`
			}
			sides[0] = append(sides[0], born(id, "old", 1, ", "+strings.ReplaceAll(waits, "changed", "old")))
			sides[1+i%2] = append(sides[1+i%2], born(id, "new", 2, ""))
			sides[2-i%2] = append(sides[2-i%2], born(id, "old", 1, ", "+waits))
		}
		return lines(sides[0]...), lines(sides[1]...), lines(sides[2]...)
	},
	"a former id beside tombstones": func(n int) (string, string, string) {
		side := func(who string, more ...string) string {
			all := more
			for i := range n {
				all = append(all, fmt.Sprintf(`{"t": "reject", "id": "t-1", "done_at": "%s %d", "reason": "slow"}`, who, i))
			}
			return lines(all...)
		}
		return side("old"), side("one", task("t-2", `"renamed_from": ["t-0", ""]`)), side("two")
	},
	"many tasks that wait for one of many heirs": func(n int) (string, string, string) {
		var waiting, bare, heirs []string
		for i := range n {
			bare = append(bare, task(fmt.Sprintf("t-w%d", i), ""))
			waiting = append(waiting, task(fmt.Sprintf("t-w%d", i), `"deps": ["t-x"]`))
			heirs = append(heirs, task(fmt.Sprintf("t-h%d", i), `"parent": "t-x"`))
		}
		return lines(append(bare, task("t-x", ""))...), lines(append(waiting, task("t-x", ""))...), lines(append(heirs, bare...)...)
	},
	"a conflict of the spec": func(n int) (string, string, string) {
		specs := make([]string, n)
		var tasks []string
		for i := range specs {
			specs[i] = fmt.Sprintf(`"%d.md"`, i)
			tasks = append(tasks, task(fmt.Sprintf("t-%d", i), ""))
		}
		side := func(spec string) string {
			return lines(append(tasks, `{"t": "spec", "spec": "`+spec+`", "conflict": {"spec": [`+strings.Join(specs, ", ")+`]}}`)...)
		}
		return side("0.md"), side("1.md"), side("2.md")
	},
}

// halfDeps takes the deps of every second task away: side 0 has those of the even
// ones, side 1 those of the odd ones, side 2 none.
func halfDeps(text string, side int) string {
	var all []string
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		l := parse(l)
		if i%2 != side {
			l.set("deps", "")
		}
		all = append(all, l.text())
	}
	return lines(all...)
}

// A small plan cannot keep a merge busy: each step that it takes is counted.
func TestHostilePlans(t *testing.T) {
	sizes := map[string]int{"nested objects": 900, "candidates": 800, "objects as candidates": 800, "cycles": 2000, "former ids": 4000, "members": 8000, "many tasks that wait for one of many heirs": 1000}
	for name, plans := range hostile {
		t.Run(name, func(t *testing.T) {
			n := sizes[name]
			if n == 0 {
				n = 4000
			}
			base, x, y := plans(n)
			got, err := merge.Merge(file(base), file(x), file(y))
			if err != nil {
				t.Fatal(err)
			}
			checkSteps(t, file(base), file(x), file(y), got)
			if in := len(base) + len(x) + len(y); len(got.Data) > 2*in {
				t.Errorf("%d bytes make %d", in, len(got.Data))
			}
			back, err := merge.Merge(file(base), file(y), file(x))
			if err != nil || string(back.Data) != string(got.Data) || back.Steps != got.Steps {
				t.Errorf("the sides are not alike: %v, %d and %d steps", err, got.Steps, back.Steps)
			}
			if waits(got.Data) && !waits(file(x)) && !waits(file(y)) {
				t.Error("tasks wait for each other")
			}
			t.Logf("%d bytes, %d steps", len(base)+len(x)+len(y), got.Steps)
		})
	}
}
