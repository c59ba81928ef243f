// Package heap says how much garbage a process collects when, for those that read much at once.
package heap

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Limits say when garbage is collected.
type Limits struct {
	From     int64 // the heap, in bytes, at which it is collected for the first time; 0 for the runtime's own
	Percent  int   // later: by how many percent the heap has grown since the last collection
	Memory   int64 // the soft limit of all memory, in bytes
	MinShare int64 // where that is less than so many percent of what is live, the limit is these
}

// Apply collects garbage so until stop is called, which brings back what was before.
func (l Limits) Apply() (stop func()) {
	a := &applied{limits: l, percent: debug.SetGCPercent(l.Percent), memory: debug.SetMemoryLimit(-1)}
	a.adjust(0)
	return a.stop
}

// applied are limits that hold.
type applied struct {
	limits  Limits
	percent int // before
	memory  int64

	mu      sync.Mutex
	stopped bool
}

// adjust sets the limits by what is live, and is called again after every collection.
func (a *applied) adjust(int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped {
		return
	}
	var use runtime.MemStats
	runtime.ReadMemStats(&use)
	live := max(int64(use.HeapAlloc), 4<<20) // the runtime assumes at least this much
	debug.SetGCPercent(max(a.limits.Percent, int(a.limits.From*100/live)-100))
	debug.SetMemoryLimit(max(a.limits.Memory, live*a.limits.MinShare/100))
	runtime.AddCleanup(new([marker]byte), a.adjust, 0) // again after the next collection
}

// marker is the size of an object that nothing refers to, too large for the allocator to put it beside others.
const marker = 64

func (a *applied) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	debug.SetGCPercent(a.percent)
	debug.SetMemoryLimit(a.memory)
}
