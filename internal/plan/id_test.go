package plan

import (
	"fmt"
	"testing"
)

// Ids have four characters until a collision among n of them is likelier than
// one in two hundred (docs/plan-format.md).
func TestIDLength(t *testing.T) {
	for n, want := range map[int]int{0: 4, 1: 4, 129: 4, 130: 5, 777: 5, 778: 6, 4665: 6, 4666: 7, 1_000_000: 9} {
		if got := idLength(n); got != want {
			t.Errorf("%d ids: length %d, want %d", n, got, want)
		}
	}
}

func TestValidID(t *testing.T) {
	for id, want := range map[string]bool{
		"t-a": true, "t-0": true, "t-1a2b": true, "t-a-b-": true, "t-5147fcc3": true,
		"": false, "t": false, "t-": false, "t--a": false, "t-A": false, "t-ä": false, "t-a b": false, "i-a": false, "x-a": false, "T-a": false,
	} {
		if ValidID(KindTask, id) != want {
			t.Errorf("%q: want %v", id, want)
		}
	}
	if !ValidID(KindIssue, "i-a") || ValidID(KindIssue, "t-a") {
		t.Error("ids of issues begin with i-")
	}
}

// No new id is one that the plan or its known history holds, be it on a
// tombstone or only in a link.
func TestNewIDsAreNew(t *testing.T) {
	p := read(t, specLine,
		`{"t": "reject", "id": "t-0123"}`,
		taskLine("t-a", `"deps": ["t-4567"]`),
		taskLine("t-b", `"parent": "t-89ab"`),
		taskLine("t-c", `"supersedes": "t-cdef"`),
		`{"t": "accept", "id": "t-ghij"}`)
	stamp := testStamp()
	stamp.Known = func() []string { return []string{"t-klmn"} }
	c, err := p.AddTasks(objects(t, `{"name": "A"}`, `{"name": "B"}`), stamp)
	if err != nil {
		t.Fatal(err)
	}
	if got := idsOf(c.Records); got != "t-opqr t-stuv" {
		t.Errorf("got %s", got)
	}
}

// The history counts for the length, too.
func TestIDsGrow(t *testing.T) {
	p := read(t, specLine)
	stamp := testStamp()
	known := make([]string, 130)
	for i := range known {
		known[i] = fmt.Sprintf("t-known-%d", i)
	}
	stamp.Known = func() []string { return known }
	if c, err := p.AddTasks(objects(t, `{"name": "A"}`), stamp); err != nil || len(c.Records[0].ID()) != len("t-12345") {
		t.Errorf("got %v, %v", idsOf(c.Records), err)
	}
}
