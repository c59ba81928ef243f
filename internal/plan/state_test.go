package plan

import (
	"errors"
	"testing"

	"git-ralph/internal/jsonl"
)

// A task without "s" is pending; one with another value is neither pending nor
// done (docs/plan-format.md, "task").
func TestState(t *testing.T) {
	for member, want := range map[string]string{
		`"s": "p"`: "pending", `"s": "\u0070"`: "pending", `"s": null`: "pending", `"x": 1`: "pending", `"s": "d"`: "done",
		`"s": "a"`: `in the unknown state "a"`, `"s": ""`: `in the unknown state ""`, `"s": "pending"`: `in the unknown state "pending"`,
	} {
		r := read(t, `{"t": "task", "id": "t-a", `+member+`}`).records[0]
		if r.State() != want || r.Pending() != (want == "pending") || r.Done() != (want == "done") {
			t.Errorf("%s: %s, pending %v, done %v", member, r.State(), r.Pending(), r.Done())
		}
	}
}

// A task that does not say how it stands is worked on like any pending one.
func TestMissingStateIsPending(t *testing.T) {
	p := read(t, `{"t": "task", "id": "t-a", "spec": "a.md", "name": "Do t-a"}`, taskLine("t-b", `"deps": ["t-a"]`))
	b, _ := p.Task("t-b")
	if waits := p.BlockedBy(b); len(waits) != 1 {
		t.Errorf("t-b waits for %v", waits)
	}
	if _, err := p.Done([]string{"t-a"}, DoneOptions{Head: head}, testStamp()); err != nil {
		t.Error(err)
	}
	if _, err := p.Accept([]string{"t-a"}); err != nil {
		t.Error(err)
	}
}

// A task in a state that nobody knows can be made pending or cancelled, and
// nothing else; what refuses says so.
func TestUnknownState(t *testing.T) {
	strange := stateLine("t-a", "a", `"done_at": "aaaabbbbcccc"`, `"attempt": "zzzz"`)
	pending := []jsonl.Member{{Name: "s", Value: `"p"`}}

	p := read(t, strange)
	if _, err := p.Edit("t-a", pending, nil); err != nil {
		t.Fatal(err)
	}
	expect(t, p, taskLine("t-a"))
	refuses(t, p, func() (Change, error) { return p.Edit("t-a", pending, nil) }, "field \"s\" cannot be edited; use `task done`")
	p = read(t, doneLine("t-a"))
	refuses(t, p, func() (Change, error) { return p.Edit("t-a", pending, nil) }, "field \"s\" cannot be edited; use `task done`")

	p = read(t, strange)
	refuses(t, p, func() (Change, error) { return p.Edit("t-a", []jsonl.Member{{Name: "s", Value: `"d"`}}, nil) }, `field "s" can only be set to "p"; commands set others`)
	refuses(t, p, func() (Change, error) { return p.Edit("t-a", []jsonl.Member{{Name: "s"}}, nil) }, `field "s" can only be set to "p"; commands set others`)
	refuses(t, p, func() (Change, error) { return p.Accept([]string{"t-a"}) }, `t-a is in the unknown state "a", not done`)
	_, err := p.Done([]string{"t-a"}, DoneOptions{Head: head}, testStamp())
	if state, ok := errors.AsType[*StateError](err); !ok || !state.Unknown {
		t.Errorf("got %v", err)
	}
	if c, err := p.Cancel([]string{"t-a"}, CancelAlone); err != nil || eventsText(c) != "cancelled t-a" || len(p.records) != 0 {
		t.Errorf("%v: %s", err, eventsText(c))
	}
}
