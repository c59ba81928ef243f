package plan

import (
	"errors"
	"testing"
)

// A task comes back as it was, but pending (docs/history.md, "Restoring tasks").
func TestRestore(t *testing.T) {
	gone := read(t, `{"t": "task", "id": "t-1", "spec": "a.md", "name": "x", "s": "d", "done_at": "abc", "kill": "timeout", "x": 1.0, "attempt": "q"}`)
	p := read(t, `{"t": "spec", "spec": "b.md"}`)
	c, err := p.Restore(gone.Records()[0])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"t": "task", "id": "t-1", "spec": "a.md", "name": "x", "s": "p", "x": 1.0}`
	if got := c.Records[0].JSON(); got != want || c.Events[0].Name != EventReopened {
		t.Errorf("got %s, %v", got, c.Events)
	}
	if _, err := p.Restore(gone.Records()[0]); !errors.Is(err, ErrPresent) {
		t.Errorf("a second time: %v", err)
	}
}
