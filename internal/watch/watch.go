package watch

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"

	"git-ralph/internal/store"
)

// A Change says what has changed.
type Change struct {
	Plan       bool // the file in the worktree
	References bool // HEAD, a branch, a tag or a claim, or whose that is, here or as copied from a remote
	Runs       bool // the journal of a worktree, or which worktrees there are
}

func (c Change) any() bool { return c != Change{} }

func (c Change) with(o Change) Change {
	return Change{c.Plan || o.Plan, c.References || o.References, c.Runs || o.Runs}
}

const (
	// settle is how long after the first event it is looked at what has changed: a commit writes several files.
	settle = 15 * time.Millisecond
	// interval is the time between two looks without an event. Some file systems do not report changes that others make.
	interval = 2 * time.Second
)

// Plan reports the changes of a worktree's plan until ctx ends; then the channel is closed. What changes while nobody receives is
// reported as one change.
func Plan(ctx context.Context, st *store.Store) <-chan Change {
	changes := make(chan Change, 1)
	w := &watcher{places: placesOf(st)}
	if notify, err := fsnotify.NewWatcher(); err == nil { // without one, the interval is left
		w.notify = notify
	}
	w.look()
	go w.run(ctx, changes)
	return changes
}

// A watcher looks at the files of one worktree.
type watcher struct {
	places places
	seen   state
	notify *fsnotify.Watcher // nil where the system reports nothing
}

func (w *watcher) run(ctx context.Context, changes chan Change) {
	defer close(changes)
	var events chan fsnotify.Event
	var errs chan error
	if w.notify != nil {
		defer w.notify.Close() //nolint:errcheck // nothing was written
		events, errs = w.notify.Events, w.notify.Errors
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-errs: // events were lost
		case <-events:
			w.await(ctx, events)
		}
		if c := w.look(); c.any() {
			report(changes, c)
		}
	}
}

// await waits until what has begun is likely to be over, and drops the events of it.
func (w *watcher) await(ctx context.Context, events chan fsnotify.Event) {
	end := time.After(settle)
	for {
		select {
		case <-ctx.Done():
			return
		case <-events:
		case <-end:
			return
		}
	}
}

// report adds a change to what nobody has received yet.
func report(changes chan Change, c Change) {
	select {
	case before := <-changes:
		c = c.with(before)
	default:
	}
	changes <- c // there is room: nobody else sends
}

// look returns what has changed since the last look.
func (w *watcher) look() (c Change) {
	for {
		now := w.places.read(w.seen)
		c = c.with(w.seen.compare(now))
		w.seen = now
		if !w.watchDirs(now.dirs) {
			return c
		}
	} // what happened in a directory before it was watched is still to be seen
}

// watchDirs has the system report changes in directories, and in no others. It reports whether there is a new one.
func (w *watcher) watchDirs(dirs map[string]bool) (added bool) {
	if w.notify == nil {
		return false
	}
	watched := map[string]bool{} // without those that were deleted, though they may have come back
	for _, dir := range w.notify.WatchList() {
		if watched[dir] = true; !dirs[dir] {
			w.notify.Remove(dir) //nolint:errcheck // it may be gone
		}
	}
	for dir := range dirs {
		if !watched[dir] && w.notify.Add(dir) == nil { // one that cannot be watched is looked at
			added = true
		}
	}
	return added
}
