package plan

import (
	"errors"
	"testing"
)

func TestDecompose(t *testing.T) {
	p := read(t, specLine,
		taskLine("t-a", `"deps": ["t-c", "t-gone"]`, `"priority": "high"`, `"role": "r"`, `"kill": "timeout"`),
		taskLine("t-b", `"deps": ["t-a", "t-c"]`), taskLine("t-c"))
	c, err := p.Decompose("t-a", objects(t,
		`{"id": "1", "name": "First", "deps": ["t-a"]}`,
		`{"name": "Second", "deps": ["1"], "priority": "low", "spec": "b.md", "parent": "t-zzzz"}`,
	), testStamp())
	if err != nil {
		t.Fatal(err)
	}
	expect(
		t, p, specLine,
		`{"t": "task", "id": "t-0123", "spec": "a.md", "name": "First", "deps": ["t-c"], "s": "p", "priority": "high", "parent": "t-a", "created_at": "`+now+`", "role": "r"}`,
		`{"t": "task", "id": "t-4567", "spec": "b.md", "name": "Second", "deps": ["t-0123", "t-c"], "s": "p", "priority": "low", "parent": "t-a", "created_at": "2026-03-04T05:06:07.009Z", "role": "r"}`,
		taskLine("t-b", `"deps": ["t-0123", "t-4567", "t-c"]`), taskLine("t-c"),
	)
	want := `decomposed t-a; added t-0123 {"name": "First", "spec": "a.md"}; added t-4567 {"name": "Second", "spec": "b.md"}; edited t-b`
	if got := eventsText(c); got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	if idsOf(c.Removed) != "t-a" || idsOf(c.Records) != "t-0123 t-4567 t-b" {
		t.Errorf("removed %s, records %s", idsOf(c.Removed), idsOf(c.Records))
	}
	for _, r := range c.Records {
		if now, _ := p.Task(r.ID()); now.JSON() != r.JSON() {
			t.Errorf("the change holds %s, the plan holds %s", r.JSON(), now.JSON())
		}
	}
}

func TestDecomposeRefuses(t *testing.T) {
	p := read(t, specLine, taskLine("t-a"), doneLine("t-b"), taskLine("t-c", `"deps": ["t-a"]`))
	try := func(id string, inputs ...string) func() (Change, error) {
		return func() (Change, error) { return p.Decompose(id, objects(t, inputs...), testStamp()) }
	}
	refuses(t, p, try("t-a"), ErrNoSubtasks.Error())
	refuses(t, p, try("t-b", `{"name": "A"}`), "t-b is done, not pending")
	refuses(t, p, try("t-9", `{"name": "A"}`), `no such task in the plan: t-9`)
	refuses(t, p, try("t-a", `{"name": "A"}`, `{}`), `task 2: field "name" is missing`)
	refuses(t, p, try("t-a", `{"name": "A", "deps": "t-b"}`), `field "deps" is a string, expected an array of strings`)
	refuses(t, p, try("t-a", `{"name": "A", "supersedes": "t-a"}`), `field "supersedes" names the task that is decomposed`)
	refuses(t, p, try("t-a", `{"name": "A", "deps": ["t-c"]}`), "tasks would wait for each other: t-0123 -> t-c -> t-0123")
	if _, err := try("t-a")(); !errors.Is(err, ErrNoSubtasks) {
		t.Errorf("got %v", err)
	}
}
