package merge_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// A row is one merge of the table in docs/merge.md. Lines are separated by
// line feeds; a leading one is dropped.
type row struct {
	name       string
	base, x, y string
	want       string
	conflicts  []merge.Conflict
	losers     []merge.DiscardedValue
}

func file(lines string) []byte {
	lines = strings.TrimPrefix(lines, "\n")
	if lines == "" || strings.HasSuffix(lines, "\n") {
		return []byte(lines)
	}
	return []byte(lines + "\n")
}

// check merges a row in both directions.
func check(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got, err := merge.Merge(file(r.base), file(r.x), file(r.y))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(file(r.want)), string(got.Data)); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			if !slices.Equal(r.conflicts, got.Conflicts) {
				t.Errorf("conflicts: got %+v, want %+v", got.Conflicts, r.conflicts)
			}
			if !slices.Equal(r.losers, withoutKept(got.Discarded)) {
				t.Errorf("losers: got %+v, want %+v", got.Discarded, r.losers)
			}
			back, err := merge.Merge(file(r.base), file(r.y), file(r.x))
			if diff := cmp.Diff(fmt.Sprint(got.Conflicts, got.Discarded, string(got.Data), nil), fmt.Sprint(back.Conflicts, back.Discarded, string(back.Data), err)); diff != "" {
				t.Errorf("the sides swapped (-one way +the other):\n%s", diff)
			}
			if _, problems := plan.Decode(string(got.Data)); len(problems) > 0 {
				t.Errorf("the result is not valid: %v", problems)
			}
		})
	}
}

// withoutKept returns what gave way, without what it gave way to: see TestLoserNamesWhatIsKept.
func withoutKept(all []merge.DiscardedValue) []merge.DiscardedValue {
	var lost []merge.DiscardedValue
	for _, l := range all {
		l.Kept = ""
		lost = append(lost, l)
	}
	return lost
}

// task writes a pending task with further members.
func task(id, members string) string {
	if members != "" {
		members = ", " + members
	}
	return `{"t": "task", "id": "` + id + `", "spec": "a.md"` + members + `}`
}

// TestUnread: equal inputs decide the result, whatever they hold.
func TestUnread(t *testing.T) {
	for _, r := range []row{
		{base: "<<<", x: "x", y: "<<<", want: "x"},
		{base: "<<<", x: "<<<", y: "y", want: "y"},
		{base: "b", x: ">>>", y: ">>>", want: ">>>"},
	} {
		got, err := merge.Merge([]byte(r.base), []byte(r.x), []byte(r.y))
		if err != nil || string(got.Data) != r.want {
			t.Errorf("%+v: got %q, %v", r, got.Data, err)
		}
	}
}

// TestInvalid: an input that cannot be read is named, with the place.
func TestInvalid(t *testing.T) {
	good, bad, other := file(task("t-1", "")), file("<<<<<<< ours\n"+task("t-1", `"s": "p"`)), file(task("t-2", ""))
	twice := file(task("t-1", "") + "\n" + task("t-1", `"x": 1`))
	shared := file(task("t-1", "") + "\n" + task("t-1", `"x": 2`))
	for _, test := range []struct {
		base, ours, theirs []byte
		want               merge.Input
	}{
		{bad, good, other, merge.Base},
		{good, bad, other, merge.Ours},
		{good, other, bad, merge.Theirs},
		{good, other, twice, merge.Theirs},
		{shared, slices.Concat(shared, other), twice, merge.Base},
	} {
		_, err := merge.Merge(test.base, test.ours, test.theirs)
		var invalid *merge.InvalidError
		if !errors.As(err, &invalid) || invalid.Input != test.want || len(invalid.Problems) == 0 {
			t.Errorf("want an error of %s, got %v", test.want, err)
		}
	}
}
