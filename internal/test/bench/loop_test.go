package main

import (
	"testing"
	"time"
)

// TestApart: iterations are distinguished by the events of a run, whatever stands between them.
func TestApart(t *testing.T) {
	got := apart([]byte(`{"t": "run", "at": "2026-01-01T00:00:00.000Z"}
{"t": "iteration", "at": "2026-01-01T00:00:01.000Z"}
{"t": "outcome", "at": "2026-01-01T00:00:01.050Z", "ms": 50}
{"t": "iteration", "at": "2026-01-01T00:00:01.080Z"}
cut off {"t": "iter
{"t": "iteration", "at": "2026-01-01T00:00:02.080Z"}
`))
	if len(got) != 2 || got[0] != 80*time.Millisecond || got[1] != time.Second {
		t.Errorf("%v", got)
	}
}
