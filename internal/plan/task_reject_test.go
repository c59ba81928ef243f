package plan

import "testing"

func TestReject(t *testing.T) {
	p := read(t, specLine, doneLine("t-a", `"reject": "first"`, `"attempt": "zzzz"`, `"x": 1`), taskLine("t-b", `"deps": ["t-a"]`))
	c, err := p.Reject("t-a", "second\nline")
	if err != nil {
		t.Fatal(err)
	}
	expect(
		t, p, specLine,
		taskLine("t-a", `"reject": "second\nline"`, `"x": 1`),
		`{"t": "reject", "id": "t-a", "done_at": "aaaabbbbcccc", "reason": "second\nline", "attempt": "zzzz"}`,
		taskLine("t-b", `"deps": ["t-a"]`),
	)
	if got, want := eventsText(c), `rejected t-a {"attempt": "zzzz", "reason": "second\nline"}`; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	if len(c.Records) != 2 || c.Records[0].Kind() != KindTask || c.Records[1].Kind() != KindReject {
		t.Errorf("records %v", c.Records)
	}
}

// A task that an old program left done without a commit can be rejected too.
func TestRejectOldTask(t *testing.T) {
	p := read(t, stateLine("t-a", "d"))
	if _, err := p.Reject("t-a", "no"); err != nil {
		t.Fatal(err)
	}
	expect(t, p, taskLine("t-a", `"reject": "no"`), `{"t": "reject", "id": "t-a", "done_at": "", "reason": "no"}`)
}

func TestRejectRefuses(t *testing.T) {
	p := read(t, specLine, doneLine("t-a"), taskLine("t-b"))
	refuses(t, p, func() (Change, error) { return p.Reject("t-a", " ") }, `field "reason" is missing`)
	refuses(t, p, func() (Change, error) { return p.Reject("t-b", "no") }, "t-b is pending, not done")
	refuses(t, p, func() (Change, error) { return p.Reject("t-c", "no") }, `no such task in the plan: t-c`)
	refuses(t, p, func() (Change, error) {
		return p.RejectAndReplace("t-a", "no", objects(t, `{"deps": ["t-b"]}`)[0], testStamp())
	}, `field "name" is missing`)
}

// The old task leaves at once, its tombstone stays, and what waited for it
// waits for the new one.
func TestRejectAndReplace(t *testing.T) {
	p := read(t, specLine, doneLine("t-a", `"attempt": "zzzz"`), taskLine("t-b", `"deps": ["t-a", "t-c"]`), taskLine("t-c"))
	c, err := p.RejectAndReplace("t-a", "no", objects(t, `{"name": "Another way", "x": 1.0}`)[0], testStamp())
	if err != nil {
		t.Fatal(err)
	}
	expect(
		t, p, specLine,
		`{"t": "task", "id": "t-0123", "spec": "a.md", "name": "Another way", "s": "p", "supersedes": "t-a", "created_at": "`+now+`", "x": 1.0}`,
		`{"t": "reject", "id": "t-a", "done_at": "aaaabbbbcccc", "reason": "no", "attempt": "zzzz"}`,
		taskLine("t-b", `"deps": ["t-0123", "t-c"]`), taskLine("t-c"),
	)
	want := `rejected t-a {"attempt": "zzzz", "reason": "no"}; added t-0123 {"name": "Another way", "spec": "a.md"}; superseded t-a {"superseded_by": "t-0123"}; edited t-b`
	if got := eventsText(c); got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	if len(c.Removed) != 1 || !c.Removed[0].Done() || idsOf(c.Records) != "t-a t-0123 t-b" {
		t.Errorf("removed %v, records %s", c.Removed, idsOf(c.Records))
	}
}

// The replacement belongs to the spec of what it replaces.
func TestRejectForKeepsTheSpec(t *testing.T) {
	p := read(t, `{"t": "spec", "spec": "b.md"}`, doneLine("t-a"))
	for input, want := range map[string]string{`{"name": "N"}`: "a.md", `{"name": "N", "spec": "c.md"}`: "c.md"} {
		p := &Plan{records: p.records}
		if _, err := p.RejectAndReplace("t-a", "no", objects(t, input)[0], testStamp()); err != nil {
			t.Fatal(err)
		}
		if r, _ := p.Task("t-0123"); r.Spec() != want {
			t.Errorf("%s: spec %s, want %s", input, r.Spec(), want)
		}
	}
}

// An attempt on another branch is rejected while the task is pending here: once that branch is merged, the task stays pending.
func TestRejectElsewhere(t *testing.T) {
	p, _ := DecodeBytes([]byte(`{"t": "task", "id": "t-1", "name": "x", "s": "p"}` + "\n"))
	c, err := p.RejectElsewhere("t-1", "red", Attempt{ID: "abcd", DoneAt: "123412341234"})
	if err != nil || len(c.Events) != 1 || c.Events[0].Name != EventRejected {
		t.Fatalf("%+v, %v", c, err)
	}
	const want = `{"t": "task", "id": "t-1", "name": "x", "s": "p", "reject": "red"}` + "\n" +
		`{"t": "reject", "id": "t-1", "done_at": "123412341234", "reason": "red", "attempt": "abcd"}` + "\n"
	if got := string(p.Encode()); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if _, err := p.RejectElsewhere("t-2", "red", Attempt{}); err == nil {
		t.Error("a task that is not there was rejected")
	}
}
