package record

import (
	"strings"
	"testing"
)

// What happened between two contents of a plan is what a commit from one to the other would show.
func TestBetween(t *testing.T) {
	const open, done = `{"t": "task", "id": "t-1", "s": "p"}` + "\n", `{"t": "task", "id": "t-1", "s": "d", "done_at": "abc"}` + "\n"
	for _, test := range []struct{ before, after, want string }{
		{open, strings.Replace(open, "p", "p\", \"name\": \"x", 1), "edited t-1"},
		{open, done, "done t-1"},
		{done, "", "accepted t-1"},
		{open, open, ""},
		{"", open + `{"t": "issue", "id": "i-1"}` + "\n", "issue-added i-1 added t-1"},
	} {
		var got []string
		for _, e := range Between([]byte(test.before), []byte(test.after)) {
			got = append(got, string(e.Name)+" "+e.ID)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q to %q: got %q, want %q", test.before, test.after, got, test.want)
		}
	}
	if events := Between(nil, []byte(open)); len(events) != 1 || events[0].Record().ID() != "t-1" {
		t.Errorf("from no plan: %v", events)
	}
}
