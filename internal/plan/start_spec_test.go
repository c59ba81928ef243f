package plan

import "testing"

// TestStart guards: work on a new spec begins without the tasks and tombstones of the former one; issues, records that we
// do not know and tasks of the new spec stay.
func TestStart(t *testing.T) {
	p, problems := Decode(`{"t": "spec", "spec": "old.md"}
{"t": "note", "x": 1}
{"t": "issue", "id": "i-1", "spec": "old.md", "desc": "x"}
{"t": "task", "id": "t-1", "spec": "old.md", "name": "a", "s": "p"}
{"t": "task", "id": "t-2", "spec": "old.md", "name": "b", "s": "d", "done_at": "abc"}
{"t": "reject", "id": "t-2", "done_at": "aaa", "reason": "r"}
{"t": "task", "id": "t-3", "spec": "new.md", "name": "c", "deps": ["t-1"], "s": "p"}
{"t": "task", "id": "t-4", "spec": "old.md", "name": "d", "s": "other"}
`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	change, err := p.StartSpec("new.md")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"t": "spec", "spec": "new.md"}
{"t": "note", "x": 1}
{"t": "issue", "id": "i-1", "spec": "old.md", "desc": "x"}
{"t": "task", "id": "t-3", "spec": "new.md", "name": "c", "s": "p"}
{"t": "task", "id": "t-4", "spec": "old.md", "name": "d", "s": "other"}
`
	if got := string(p.Encode()); got != want {
		t.Errorf("got\n%s", got)
	}
	var names []EventName
	for _, e := range change.Events {
		names = append(names, e.Name)
	}
	if len(names) != 4 || names[0] != EventCancelled || names[1] != EventCancelled || names[2] != EventEdited || names[3] != EventSpec || len(change.Removed) != 3 {
		t.Errorf("%v, %d removed", names, len(change.Removed))
	}
	if again, err := p.StartSpec("new.md"); err != nil || !again.Empty() {
		t.Errorf("%v %v", again, err)
	}
}

// TestStartClearsTombstones guards: planning the same spec again clears tombstones and nothing else.
func TestStartClearsTombstones(t *testing.T) {
	const rest = `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-1", "spec": "s.md", "name": "a", "s": "p", "reject": "r"}
`
	p, _ := Decode(rest + `{"t": "reject", "id": "t-1", "done_at": "aaa", "reason": "r"}` + "\n")
	change, err := p.StartSpec("s.md")
	if err != nil || string(p.Encode()) != rest || len(change.Events) != 1 || change.Events[0].Name != EventUpdated {
		t.Errorf("%v %v\n%s", change, err, p.Encode())
	}
}
