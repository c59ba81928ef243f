package merge_test

import (
	"flag"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// trials is how often the laws are tried unless -rapid.checks says otherwise.
// Each trial is five merges.
const trials = "3000"

func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		_ = flag.Set("rapid.checks", trials)
		_ = flag.Set("rapid.seed", "5") // everybody tries the same, which shows every row; make fuzz tries others
	}
	os.Exit(m.Run())
}

func mustMerge(t *rapid.T, base, x, y []byte) merge.Result {
	r, err := merge.Merge(base, x, y)
	if err != nil {
		t.Fatalf("%v\nbase\n%s\nx\n%s\ny\n%s", err, base, x, y)
	}
	checkSteps(t, base, x, y, r)
	if _, problems := plan.Decode(string(r.Data)); len(problems) > 0 {
		t.Fatalf("not valid: %v\nbase\n%s\nx\n%s\ny\n%s\nresult\n%s", problems, base, x, y, r.Data)
	}
	return r
}

// TestLaws: docs/merge.md, "Laws".
func TestLaws(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		base, mx, my := drawSides(t)
		b, x, y := base.file(), mx.file(), my.file()
		for _, test := range [][4][]byte{{b, x, b, x}, {b, b, x, x}, {b, x, x, x}} {
			if got := mustMerge(t, test[0], test[1], test[2]); string(got.Data) != string(test[3]) {
				t.Fatalf("a side that did nothing changed the result")
			}
		}
		got, back := mustMerge(t, b, x, y), mustMerge(t, b, y, x)
		if !reflect.DeepEqual(got, back) {
			t.Fatalf("the sides are not alike\nbase\n%s\nx\n%s\ny\n%s\none way\n%s%v\nthe other\n%s%v", b, x, y, got.Data, got, back.Data, back)
		}
		if waits(got.Data) && !waits(b) && !waits(x) && !waits(y) {
			t.Fatalf("tasks wait for each other\nbase\n%s\nx\n%s\ny\n%s\nresult\n%s", b, x, y, got.Data)
		}
		if !showsCandidates(got.Data) && showsCandidates(b) && showsCandidates(x) && showsCandidates(y) {
			t.Fatalf("a value is none of its candidates\nbase\n%s\nx\n%s\ny\n%s\nresult\n%s", b, x, y, got.Data)
		}
		checkAuthors(t, b, x, y, got)
		checkKept(t, b, x, y, got)
		checkKept(t, b, y, x, got)
		rowsOf(seen, b, x, y, got)
	})
	checkRows(t, seen)
}

// showsCandidates reports whether each field of which a conflict is recorded
// holds one of its candidates. Those that it cannot hold are none; see TestOddConflicts.
func showsCandidates(data []byte) bool {
	for _, r := range decode(data).Records() {
		conflict, _ := r.Get("conflict")
		for _, m := range recordedIn(r) {
			shown, _ := r.Get(m.Name)
			if shown == "" {
				shown = "null"
			}
			isShown := func(v jsonl.Value) bool { return same(v, shown) }
			odd := func(v jsonl.Value) bool { return !plan.CanHold(r.Kind(), m.Name, v) }
			possible := slices.DeleteFunc(candidates(conflict, m.Name), odd)
			if m.Name != plan.Removed && len(possible) > 0 && !slices.ContainsFunc(possible, isShown) && !(m.Name == r.Kind().WaitsField() && shown == "null") {
				return false
			}
		}
	}
	return true
}

// waits reports whether tasks or items of a plan wait for each other.
func waits(data []byte) bool {
	for _, kind := range []plan.Kind{plan.KindTask, plan.KindItem} {
		for range decode(data).Cycles(kind) {
			return true
		}
	}
	return false
}
