package agentsession_test

import (
	"testing"

	"git-ralph/internal/agentsession"
)

// TestGateBlocksOnce guards: a gate blocks an agent once in the same state, whatever other agents and sessions do between, and a
// session without an id never.
func TestGateBlocksOnce(t *testing.T) {
	d := agentsession.Of(t.TempDir())
	for i, row := range []struct {
		session, agent, mark string
		want                 bool
	}{
		{"a", "", "1", false},
		{"a", "", "1", true},
		{"b", "", "1", false},
		{"a", "ralph-builder", "1", false},
		{"a", "", "1", true},
		{"a", "ralph-builder", "1", true},
		{"a", "", "2", false},
		{"a", "", "1", false},
		{"", "", "1", true},
	} {
		if got := d.Repeated(t.Context(), row.session, row.agent, row.mark); got != row.want {
			t.Errorf("%d: %+v: %v", i, row, got)
		}
	}
	d.EndSession("a")
	if d.Repeated(t.Context(), "a", "", "1") || !d.Repeated(t.Context(), "b", "", "1") {
		t.Error("ending a session ended another one, or not its own")
	}
}
