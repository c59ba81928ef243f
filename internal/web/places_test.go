package web

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/viewio"
	"git-ralph/internal/plan"
	"git-ralph/internal/test/gittest"
)

// newPlace returns a worktree of which nothing was read, and what is held by whoever takes much memory.
func newPlace(t *testing.T, r *gittest.Repo) (*place, *sync.Mutex) {
	env := &term.Env{Dir: r.Dir, Environ: r.Env, Out: io.Discard, Err: io.Discard, Now: time.Now, Random: func(int) int { return 7 }}
	large := &sync.Mutex{}
	return &place{ctx: t.Context(), env: env, tree: viewio.In(env, ""), large: large, versions: newVersions()}, large
}

// A change is shown also while nothing large may be read, such as the history of a change before it; what is read afterwards is that of the newest
// plan.
func TestChangeDuringRest(t *testing.T) {
	r := gittest.NewRepo(t)
	lines := []string{`{"t": "spec", "spec": "s.md"}`}
	commit := func(id string) {
		lines = append(lines, `{"t": "task", "id": "`+id+`", "spec": "s.md", "name": "A task", "s": "p"}`)
		r.Commit(id, map[string]string{"s.md": "", "ralph/plan.jsonl": strings.Join(lines, "\n") + "\n"})
	}
	commit("t-1")
	p, large := newPlace(t, r)
	large.Lock()
	defer p.follow()()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	for n := 1; n <= 3; n++ {
		if n > 1 {
			commit(fmt.Sprintf("t-%d", n))
		}
		for {
			p.mu.Lock()
			d, changed := p.data, p.changed
			p.mu.Unlock()
			if d != nil && len(d.Plan.Of(plan.KindTask)) == n {
				break
			}
			select {
			case <-changed:
			case <-ctx.Done():
				t.Fatalf("task %d is not shown", n)
			}
		}
	}
	large.Unlock()
	d, _, err := p.current(ctx, true)
	if err != nil || len(d.Plan.Of(plan.KindTask)) != 3 || len(d.History.Lives) != 3 {
		t.Fatalf("%+v %v", d, err)
	}
}

// While the plan changes faster than its history can be read, a view that takes much memory is made between two such readings.
func TestLargeViewAmongChanges(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("plan", map[string]string{"s.md": "", "ralph/plan.jsonl": `{"t": "spec", "spec": "s.md"}` + "\n"})
	p, large := newPlace(t, r)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	read := make(chan struct{})
	go func() {
		defer close(read)
		for ctx.Err() == nil {
			p.read(always)
		}
	}()
	rest := make(chan struct{})
	go func() {
		defer close(rest)
		for ctx.Err() == nil {
			p.readRest()
		}
	}()
	for large.TryLock() { // until the history is read
		large.Unlock()
		time.Sleep(time.Millisecond)
	}
	made := make(chan struct{})
	go func() {
		large.Lock()
		close(made)
		large.Unlock()
	}()
	select {
	case <-made:
	case <-ctx.Done():
		t.Error("it waits for the end of all changes")
	}
	stop()
	<-read
	<-rest
}
