//go:build agents

package realagent

import (
	"sync"
	"time"
)

// A rendezvous makes the first of several wait for each other, so that they are there at the same time. The zero value makes nobody
// wait.
type rendezvous struct {
	want int
	all  chan struct{} // closed when all are there

	mu   sync.Mutex
	here map[string]bool
}

// rendezvousTime is how long one waits for the others: much longer than an agent takes to start on a busy machine.
const rendezvousTime = 4 * time.Minute

// expect sets how many wait for each other. It is called before anybody comes.
func (r *rendezvous) expect(n int) {
	r.want, r.here, r.all = n, map[string]bool{}, make(chan struct{})
}

// wait waits until all are there, or for so long that they do not come.
func (r *rendezvous) wait(name string) {
	if r.want == 0 || r.met() {
		return
	}
	r.come(name)
	select {
	case <-r.all:
	case <-time.After(rendezvousTime):
		r.leave(name)
	}
}

func (r *rendezvous) come(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.here[name] = true
	if len(r.here) == r.want && !r.met() {
		close(r.all)
	}
}

func (r *rendezvous) leave(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.here, name)
}

// met reports whether all were there at the same time.
func (r *rendezvous) met() bool {
	select {
	case <-r.all:
		return true
	default:
		return false
	}
}
