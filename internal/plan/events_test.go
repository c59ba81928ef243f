package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What happened is read from the plan alone, whoever changed it.
func TestEvents(t *testing.T) {
	decode := func(text string) *Plan {
		p, problems := Decode(text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return p
	}
	before := decode(`{"t": "task", "id": "t-a", "spec": "s", "name": "a", "s": "p"}
{"t": "task", "id": "t-b", "spec": "s", "name": "b", "s": "d", "done_at": "aaa"}
{"t": "task", "id": "t-c", "spec": "s", "name": "c", "s": "d", "done_at": "aaa"}
{"t": "task", "id": "t-d", "spec": "s", "name": "d", "s": "p"}
{"t": "task", "id": "t-e", "spec": "s", "name": "e", "s": "p"}
{"t": "task", "id": "t-f", "spec": "s", "name": "f", "s": "p"}
{"t": "issue", "id": "i-a", "spec": "s", "desc": "x"}
`)
	after := decode(`{"t": "task", "id": "t-a", "spec": "s", "name": "a", "s": "d", "done_at": "bbb"}
{"t": "task", "id": "t-b", "spec": "s", "name": "b", "s": "p", "reject": "r"}
{"t": "reject", "id": "t-b", "done_at": "aaa", "reason": "r"}
{"t": "task", "id": "t-d", "spec": "s", "name": "d", "s": "p", "kill": "timeout"}
{"t": "task", "id": "t-g", "spec": "s", "name": "g", "s": "p", "parent": "t-e"}
{"t": "issue", "id": "i-b", "spec": "s", "desc": "y"}
`)
	want := []Event{
		{Name: EventDone, ID: "t-a", Title: "a"},
		{Name: EventRejected, ID: "t-b", Title: "b"},
		{Name: EventAccepted, ID: "t-c", Title: "c"},
		{Name: EventKilled, ID: "t-d", Title: "d"},
		{Name: EventDecomposed, ID: "t-e", Title: "e"},
		{Name: EventCancelled, ID: "t-f", Title: "f"},
		{Name: EventAdded, ID: "t-g", Title: "g"},
		{Name: EventIssueDone, ID: "i-a", Title: "x"},
		{Name: EventIssueAdded, ID: "i-b", Title: "y"},
	}
	got := Events(before, after)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if same := Events(after, after); len(same) > 0 {
		t.Errorf("between equal plans: %v", same)
	}
}
