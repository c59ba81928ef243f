package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"git-ralph/internal/merge"
)

// born is a task of January 2026, with a name of its own.
func born(id, name string, day int, more string) string {
	return task(id, fmt.Sprintf(`"name": "%s", "created_at": "2026-01-%02dT00:00:00.000Z"%s`, name, day, more))
}

// found is an issue of January 2026.
func found(id, desc string, day int) string {
	return fmt.Sprintf(`{"t": "issue", "id": "%s", "spec": "a.md", "desc": "%s", "created_at": "2026-01-%02dT00:00:00.000Z"}`, id, desc, day)
}

// Giving one newcomer another id changes what refers to it on its side. A newcomer of the other side that has such a record's id
// then gets another one too.
func TestNewcomerBesideAFollowedReference(t *testing.T) {
	for _, reference := range []string{`"deps": ["t-3"]`, `"deps": ["\u0074-3"]`, `"parent": "t-3"`, `"created_from": "t-3"`, `"supersedes": "t-3"`} {
		waiting := born("t-2", "two", 1, ", "+reference)
		base := lines(waiting, born("t-3", "three", 1, ""))
		x := lines(waiting, born("t-3", "another", 2, ""))
		y := lines(born("t-2", "other", 2, ""), born("t-3", "three and more", 1, ""))
		checkAllStay(t, base, x, y, "two", "three and more", "another", "other")
	}
}

// A task and an issue may have one id, and each of them gets another one.
func TestNewcomersOfTwoKindsWithOneID(t *testing.T) {
	base := lines(born("t-1", "one", 1, ""), found("t-1", "first", 1))
	x := lines(born("t-1", "another", 2, ""), found("t-1", "second", 2))
	y := lines(born("t-1", "one and more", 1, ""), found("t-1", "first and more", 1))
	checkAllStay(t, base, x, y, "one and more", "first and more", "another", "second")
	checkAllStay(t, "", x, base, "one", "first", "another", "second")
}

// checkAllStay: the merged plan has one record with each name.
func checkAllStay(t *testing.T, base, x, y string, names ...string) {
	t.Helper()
	got, err := merge.Merge(file(base), file(x), file(y))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.Count(string(got.Data), `": "`+name+`"`) != 1 {
			t.Errorf("want one %q in\n%s", name, got.Data)
		}
	}
}
