package loop

import (
	"testing"

	"git-ralph/internal/agent"
)

// TestLimitIsShown guards: while an agent waits by itself for a limit of its service, which is silent, status and display say so.
func TestLimitIsShown(t *testing.T) {
	it := &iteration{Loop: &Loop{}}
	if got := it.live(agent.Reading{Tool: "sh", Limit: "retry after 3600"}).Tool; got != "waiting: retry after 3600" {
		t.Errorf("shown is %q", got)
	}
	if got := it.live(agent.Reading{Tool: "sh"}).Tool; got != "sh" {
		t.Errorf("shown is %q", got)
	}
}
