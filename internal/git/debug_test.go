package git

import (
	"testing"

	"git-ralph/internal/proc"
)

// TestNoLogCostsNothing guards: where nobody has asked for a debug log, a process of git allocates nothing for it.
func TestNoLogCostsNothing(t *testing.T) {
	p, c := &Program{}, proc.Cmd{Args: []string{"push"}}
	if n := testing.AllocsPerRun(100, func() { p.Record(&c) }); n != 0 || c.Ended != nil {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkNoLog(b *testing.B) {
	p, c := &Program{}, proc.Cmd{Args: []string{"push"}}
	b.ReportAllocs()
	for b.Loop() {
		p.Record(&c)
	}
}
