package loop

import (
	"testing"

	"git-ralph/internal/agent"
	"git-ralph/internal/iteration"
)

// TestLimitIsShown guards: while an agent waits by itself for a limit of its service, which is silent, status and display say so.
func TestLimitIsShown(t *testing.T) {
	shown := func(r agent.Progress) string { return new(Loop).live(iteration.Job{}, 0, r).Tool }
	if got := shown(agent.Progress{Tool: "sh", ServiceLimit: "retry after 3600"}); got != "waiting: retry after 3600" {
		t.Errorf("shown is %q", got)
	}
	if got := shown(agent.Progress{Tool: "sh"}); got != "sh" {
		t.Errorf("shown is %q", got)
	}
}
