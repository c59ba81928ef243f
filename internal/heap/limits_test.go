package heap_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"git-ralph/internal/heap"
)

// The limits hold until they are stopped; the one of memory follows what is live, so that a large plan is not collected without end.
func TestLimits(t *testing.T) {
	percent, memory := debug.SetGCPercent(-1), debug.SetMemoryLimit(-1)
	debug.SetGCPercent(percent)
	stop := heap.Limits{Percent: 50, Memory: 8 << 20, MinShare: 150}.Apply()
	live := make([]byte, 32<<20)
	for range 3 {
		runtime.GC()
		runtime.Gosched()
	}
	for range 1000 { // cleanups run beside
		if debug.SetMemoryLimit(-1) > 40<<20 {
			break
		}
		runtime.Gosched()
		runtime.GC()
	}
	if got := debug.SetMemoryLimit(-1); got < 48<<20 || got > 60<<20 {
		t.Errorf("a limit of %d MB where %d MB are live", got>>20, len(live)>>20)
	}
	runtime.KeepAlive(live)
	if got := debug.SetGCPercent(50); got != 50 {
		t.Errorf("%d %% garbage", got)
	}
	stop()
	if p, m := debug.SetGCPercent(percent), debug.SetMemoryLimit(-1); p != percent || m != memory {
		t.Errorf("afterwards: %d %%, %d bytes; before: %d %%, %d bytes", p, m, percent, memory)
	}
}
