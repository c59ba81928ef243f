package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"
)

// versions counts the states of what is shown, and how many streams follow it.
type versions struct {
	mu      sync.Mutex
	start   string // of their names
	version int
	changed chan struct{}      // closed when the version is another one
	streams int                // that follow
	unwatch context.CancelFunc // nil: nothing is watched
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

// lingering is how long something is watched after the last stream has left: whoever comes back from another view finds it as it is.
const lingering = 30 * time.Second

// follow has watch run from the first stream on until the last one has left, and some time after that.
func (v *versions) follow(ctx context.Context, watch func(context.Context)) (leave func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.streams++
	if v.unwatch == nil {
		ctx, v.unwatch = context.WithCancel(ctx)
		go watch(ctx)
	}
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.streams--; v.streams == 0 {
			time.AfterFunc(lingering, v.endUnfollowed)
		}
	}
}

// endUnfollowed ends the watch that no stream follows.
func (v *versions) endUnfollowed() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.streams == 0 && v.unwatch != nil {
		v.unwatch()
		v.unwatch = nil
	}
}
