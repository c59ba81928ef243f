package merge_test

import (
	"flag"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// fewer runs a property less often than the others: each trial is many merges.
func fewer(t *testing.T, divisor int, property func(t *rapid.T)) {
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	n, _ := strconv.Atoi(before)
	defer func() { _ = checks.Value.Set(before) }()
	_ = checks.Value.Set(strconv.Itoa(max(1, n/divisor)))
	rapid.Check(t, property)
}

// TestRevert: a change that is taken back leaves the plan as it is without it,
// where nothing touched the same records since.
func TestRevert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, mx, my := drawSides(t)
		b, x, y := base.file(), mx.file(), my.file()
		if touchesTheSame(decode(b), decode(x), decode(y)) {
			t.Skip()
		}
		with := mustMerge(t, b, x, y)
		if len(with.Conflicts) > 0 {
			t.Skip() // dependencies of several tasks meet in a cycle
		}
		without := mustMerge(t, x, with.Data, b)
		if got, want := linesIn(without.Data), linesIn(y); !slices.Equal(got, want) {
			t.Fatalf("base\n%s\nx\n%s\ny\n%s\nmerged\n%s\nwithout x\n%s", b, x, y, with.Data, without.Data)
		}
	})
}

// TestRevertOwnDependency: a task that waits for one which the same side decomposed is gone when that change is reverted.
func TestRevertOwnDependency(t *testing.T) {
	b := task("t-1", pending)
	x := lines(task("t-3", `"deps": ["t-1", "t-9"], `+pending), task("t-0", pending+`, "parent": "t-1"`))
	y := lines(b, task("t-7", pending))
	with, err := merge.Merge(file(b), file(x), file(y))
	if err != nil {
		t.Fatal(err)
	}
	without, err := merge.Merge(file(x), with.Data, file(b))
	if err != nil || string(without.Data) != string(file(y)) {
		t.Errorf("got %v\n%s\nwant\n%s", err, without.Data, y)
	}
}

// TestRevertBesideOddDeps: candidates of dependencies that somebody recorded by hand stay as they are when another change
// is reverted.
func TestRevertBesideOddDeps(t *testing.T) {
	b := task("t-5", pending)
	x := lines(b, task("t-6", `"deps": ["t-5"], `+pending))
	y := task("t-5", pending+`, "conflict": {"deps": [["t-1"], ["t-2"], 3]}`)
	with, err := merge.Merge(file(b), file(x), file(y))
	if err != nil {
		t.Fatal(err)
	}
	without, err := merge.Merge(file(x), with.Data, file(b))
	if err != nil || string(without.Data) != string(file(y)) {
		t.Errorf("got %v\n%s\nwant\n%s", err, without.Data, y)
	}
}

// touchesTheSame reports whether two sides changed records of one name, or
// records that have none.
func touchesTheSame(b, x, y *plan.Plan) bool {
	changed := func(p *plan.Plan) map[string]bool {
		had, ids := map[string]int{}, map[string]bool{}
		for _, r := range b.Records() {
			had[r.JSON()]++
		}
		for _, r := range p.Records() {
			if had[r.JSON()]--; had[r.JSON()] < 0 {
				ids[r.ID()] = true
				for _, former := range r.Texts("renamed_from") {
					ids[former] = true
				}
			}
		}
		for _, r := range b.Records() {
			if had[r.JSON()] > 0 {
				ids[r.ID()] = true
			}
		}
		return ids
	}
	inX, inY := changed(x), changed(y)
	for id := range inX {
		if inY[id] || mentions(inY, y, id) || mentions(inY, b, id) {
			return true
		}
	}
	for id := range inY {
		if mentions(inX, x, id) || mentions(inX, b, id) {
			return true
		}
	}
	return false
}

// mentions reports whether one of some records points at an id.
func mentions(ids map[string]bool, p *plan.Plan, id string) bool {
	return slices.ContainsFunc(p.Records(), func(r plan.Record) bool {
		return ids[r.ID()] && (slices.Contains(r.WaitsFor(), id) || r.Text("parent") == id || r.Text("supersedes") == id)
	})
}

func linesIn(data []byte) []string {
	var lines []string
	for _, r := range decode(data).Records() {
		lines = append(lines, canon(value(r)))
	}
	slices.Sort(lines)
	return lines
}
