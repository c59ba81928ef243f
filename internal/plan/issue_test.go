package plan

import (
	"errors"
	"testing"
)

func TestAddIssues(t *testing.T) {
	p := read(t, specLine, issueLine("i-a"))
	c, err := p.AddIssues(objects(t, `{"desc": " One ", "labels": ["x"], "priority": "high", "z": 1.0}`, `{"id": "i-mine", "desc": "Two", "spec": "b.md"}`), testStamp())
	if err != nil {
		t.Fatal(err)
	}
	expect(
		t, p, specLine,
		`{"t": "issue", "id": "i-0123", "spec": "a.md", "desc": "One", "created_at": "`+now+`", "priority": "high", "labels": ["x"], "z": 1.0}`,
		issueLine("i-a"),
		`{"t": "issue", "id": "i-mine", "spec": "b.md", "desc": "Two", "created_at": "2026-03-04T05:06:07.009Z"}`,
	)
	if got, want := eventsText(c), `issue-added i-0123 {"desc": "One", "spec": "a.md"}; issue-added i-mine {"desc": "Two", "spec": "b.md"}`; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	refuses(t, p, func() (Change, error) {
		return p.AddIssues(objects(t, `{"desc": "A"}`, `{"name": "B"}`), testStamp())
	}, `issue 2: field "desc" is missing`)
	refuses(t, p, func() (Change, error) {
		return p.AddIssues(objects(t, `{"desc": "A", "labels": "x"}`), testStamp())
	}, `field "labels" is a string, expected an array of strings`)
	if _, err := new(Plan).AddIssues(objects(t, `{"desc": "A"}`), testStamp()); !errors.Is(err, ErrNoSpec) {
		t.Errorf("got %v", err)
	}
}

// A closed issue frees what waited for it, and leaves those lines alone.
func TestCloseIssues(t *testing.T) {
	p := read(t, specLine, issueLine("i-a"), issueLine("i-b"), issueLine("i-c"), taskLine("t-a", `"deps": ["i-a"]`))
	c, err := p.CloseIssues([]string{"i-c", "i-a"})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, p, specLine, issueLine("i-b"), taskLine("t-a", `"deps": ["i-a"]`))
	if got := eventsText(c); got != "issue-done i-c; issue-done i-a" || idsOf(c.Removed) != "i-c i-a" {
		t.Errorf("events %s", got)
	}
	task, _ := p.Task("t-a")
	if len(p.BlockedBy(task)) > 0 {
		t.Errorf("waits for %v", p.BlockedBy(task))
	}
	refuses(t, p, func() (Change, error) { return p.CloseIssues([]string{"i-b", "i-a"}) }, `no such issue in the plan: i-a`)
	refuses(t, p, func() (Change, error) { return p.CloseIssues([]string{"t-a"}) }, `no such issue in the plan: t-a`)
}

// What waited for the issue waits for its task.
func TestIssuesIntoTasks(t *testing.T) {
	p := read(t, specLine,
		`{"t": "issue", "id": "i-a", "spec": "b.md", "desc": "\nFlaky test\n\nFails on Mondays", "priority": "low"}`,
		issueLine("i-b", `"priority": "urgent"`),
		taskLine("t-a", `"deps": ["i-b", "i-a"]`))
	c, err := p.IssuesIntoTasks([]string{"i-b", "i-a"}, testStamp())
	if err != nil {
		t.Fatal(err)
	}
	expect(
		t, p, specLine,
		`{"t": "task", "id": "t-0123", "spec": "a.md", "name": "Look at i-b", "s": "p", "created_from": "i-b", "created_at": "`+now+`"}`,
		`{"t": "task", "id": "t-4567", "spec": "b.md", "name": "Flaky test", "notes": "Fails on Mondays", "s": "p", "priority": "low", "created_from": "i-a", "created_at": "2026-03-04T05:06:07.009Z"}`,
		taskLine("t-a", `"deps": ["t-0123", "t-4567"]`),
	)
	want := `issue-done i-b; issue-done i-a; added t-0123 {"name": "Look at i-b", "spec": "a.md"}; added t-4567 {"name": "Flaky test", "spec": "b.md"}; edited t-a`
	if got := eventsText(c); got != want || idsOf(c.Records) != "t-0123 t-4567 t-a" {
		t.Errorf("events %s of %s, want %s", got, idsOf(c.Records), want)
	}
	refuses(t, p, func() (Change, error) { return p.IssuesIntoTasks([]string{"i-b"}, testStamp()) }, `no such issue in the plan: i-b`)
}
