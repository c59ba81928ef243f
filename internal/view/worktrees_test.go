package view

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/plan"
)

// shownRows lists a comparison: "task t-a: ready 1, absent, done 2".
func shownRows(c Comparison) (all []string) {
	for _, r := range c.Rows {
		text := fmt.Sprintf("%s %s:", r.Kind, r.ID)
		for _, cell := range r.Cells {
			text += fmt.Sprintf(" %s%d", cell.Status, cell.Text)
		}
		all = append(all, text)
	}
	return all
}

// TestCompare: a record is a row where its status, its text or that it is there differs, and no other is.
func TestCompare(t *testing.T) {
	one := dataOf(t, spec, task("t-same", `, "s": "p"`), task("t-text", `, "s": "p", "notes": "a"`), task("t-done", `, "s": "p"`), task("t-waits", `, "s": "p", "deps": ["t-done"]`),
		task("t-gone", `, "s": "p"`), `{"t": "issue", "id": "t-same", "spec": "a.md", "desc": "As a task"}`)
	two := dataOf(t, spec, task("t-done", `, "s": "d", "done_at": "123456789abc"`), task("t-waits", `, "s": "p", "deps": ["t-done"]`), task("t-same", `, "s": "p"`),
		task("t-text", `, "s": "p", "notes": "b"`), task("t-new", `, "s": "p"`))
	plans := [][]Standing{one.Standings(), two.Standings(), one.Standings()}
	want := []string{
		"task t-done: ready1 done2 ready1", "task t-gone: ready1 0 ready1", "task t-new: 0 ready1 0", "task t-text: ready1 ready2 ready1", "task t-waits: blocked1 ready1 blocked1",
		"issue t-same: ready1 0 ready1",
	}
	if got := shownRows(Compare(plans, 10)); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if c := Compare(plans, 2); !slices.Equal(shownRows(c), want[:2]) || c.More != 4 {
		t.Errorf("two rows: %q and %d more", shownRows(c), c.More)
	}
	if c := Compare(nil, 2); c.Rows != nil || c.More != 0 {
		t.Errorf("no plans: %v", c)
	}
}

// drawnPlans draws plans that have some records in common.
func drawnPlans(t *rapid.T) [][]Standing {
	all := make([][]Standing, rapid.IntRange(1, 4).Draw(t, "plans"))
	for i := range all {
		for id := range 6 {
			if text := rapid.IntRange(0, 2).Draw(t, "text"); text > 0 {
				kind := rapid.SampledFrom([]plan.Kind{plan.KindTask, plan.KindIssue}).Draw(t, "kind")
				status := rapid.SampledFrom([]Status{Ready, Done}).Draw(t, "status")
				all[i] = append(all[i], Standing{kind, fmt.Sprint(id), "name", status, fmt.Sprint(text)})
			}
		}
		slices.SortFunc(all[i], Standing.compare)
	}
	return all
}

// TestComparisons: equal plans have no rows; the order of plans changes that of cells alone; each row differs, and whatever differs is a row;
// standings that share what they hold compare as before.
func TestComparisons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plans := drawnPlans(t)
		c := Compare(plans, 100)
		if same := Compare([][]Standing{plans[0], plans[0], plans[0]}, 100); len(same.Rows) > 0 {
			t.Fatalf("equal plans: %v", same.Rows)
		}
		last := slices.Clone(plans)
		slices.Reverse(last)
		turned := Compare(last, 100)
		if len(turned.Rows) != len(c.Rows) {
			t.Fatalf("%v\nturned %v", c, turned)
		}
		for i, r := range c.Rows {
			statuses := func(cells []Cell) (all []Status) {
				for _, c := range cells {
					all = append(all, c.Status)
				}
				return all
			}
			was := statuses(turned.Rows[i].Cells)
			slices.Reverse(was)
			if r.ID != turned.Rows[i].ID || !slices.Equal(was, statuses(r.Cells)) {
				t.Fatalf("%v\nturned %v", r, turned.Rows[i])
			}
		}
		for _, kind := range []plan.Kind{plan.KindTask, plan.KindIssue} {
			for id := range 6 {
				var found []Standing
				for _, p := range plans {
					var one Standing
					if at := slices.IndexFunc(p, func(s Standing) bool { return s.Kind == kind && s.ID == fmt.Sprint(id) }); at >= 0 {
						one = p[at]
					}
					found = append(found, one)
				}
				differs := slices.ContainsFunc(found, func(s Standing) bool { return s != found[0] })
				if row := slices.ContainsFunc(c.Rows, func(r Difference) bool { return r.Kind == kind && r.ID == fmt.Sprint(id) }); row != differs {
					t.Fatalf("%s %d: %v; a row: %v", kind, id, found, row)
				}
			}
		}
		shared := slices.Clone(plans)
		for i := range shared {
			shared[i] = Share(plans[i], plans[0])
		}
		if got := Compare(shared, 100); !slices.Equal(shownRows(got), shownRows(c)) {
			t.Fatalf("%q\nwant %q", shownRows(got), shownRows(c))
		}
	})
}
