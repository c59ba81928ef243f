package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
)

// versions counts the states of what is shown, and how many streams follow it.
type versions struct {
	mu      sync.Mutex
	start   string // of their names
	version int
	changed chan struct{} // closed when the version is another one
	watches int           // streams
	unwatch context.CancelFunc
}

func newVersions() versions { return versions{start: rand.Text()[:8], changed: make(chan struct{})} }

// name names the version, for this start and this worktree alone. The lock is held.
func (v *versions) name() string { return fmt.Sprintf("%s-%d", v.start, v.version) }

// next says that there is another state. The lock is held.
func (v *versions) next() {
	v.version++
	close(v.changed)
	v.changed = make(chan struct{})
}

// state returns the version, and a channel that is closed when it is another one.
func (v *versions) state() (version string, changed <-chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.name(), v.changed
}

// follow has watch run from the first stream on until the last one has left.
func (v *versions) follow(ctx context.Context, watch func(context.Context)) (leave func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.watches++; v.watches == 1 {
		ctx, cancel := context.WithCancel(ctx)
		v.unwatch = cancel
		go watch(ctx)
	}
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.watches--; v.watches == 0 {
			v.unwatch()
		}
	}
}
