package work

import (
	"context"
	"errors"
	"time"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/loop"
)

// errLost ends the iterations of a task whose claim somebody else has.
var errLost = errors.New("the claim is lost")

// quiet leaves out the beginning and the end of the run of one task: the worker reports its own.
type quiet struct{ loop.Reporter }

// Report reports any other event.
func (q quiet) Report(e loop.Event) {
	if e.Kind != loop.RunBegan && e.Kind != loop.RunEnded {
		q.Reporter.Report(e)
	}
}

// A renewer keeps the claims of a worker fresh while it does something that takes long. Where an agent runs it is called with the
// agent's progress, so that no program of ours runs when the agent's are counted.
type renewer struct {
	loop.Reporter
	worker *Worker
	ctx    context.Context
	stop   context.CancelCauseFunc // of the iterations
	id     string                  // of the task that is worked on, "" for none
	due    time.Time
	lost   bool
}

// retryTime is when a renewal that failed, as for a remote that is not reached, is tried again.
const retryTime = 30 * time.Second

// newRenewer returns a renewer. Its context ends when the claim of the task is lost.
func (w *Worker) newRenewer(ctx context.Context, id string) *renewer {
	r := &renewer{Reporter: quiet{w.Loop.Reporter}, worker: w, id: id, due: time.Now().Add(w.Lease / 3)}
	r.ctx, r.stop = context.WithCancelCause(ctx)
	return r
}

// Progress renews the claims after each third of their lease.
func (r *renewer) Progress(l loop.Live) {
	if now := time.Now(); !now.Before(r.due) && !r.lost {
		r.warn(r.renew(now))
	}
	r.Reporter.Progress(l)
}

// beside renews the claims while something is done without an agent: a checkout, ralph.worktree.setup, a landing with its check.
func (r *renewer) beside(do func()) {
	done, ended := make(chan struct{}), make(chan []error)
	go func() {
		var failed []error
		for !r.lost && r.await(done) {
			failed = append(failed, r.renew(time.Now()))
		}
		ended <- failed
	}()
	do()
	close(done)
	for _, err := range <-ended {
		r.warn(err)
	}
}

// await waits until the claims are to be renewed; false where what is done beside has ended.
func (r *renewer) await(done <-chan struct{}) bool {
	timer := time.NewTimer(time.Until(r.due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-done:
		return false
	case <-r.ctx.Done():
		return false
	}
}

func (r *renewer) renew(now time.Time) error {
	own := authority.Own{}
	for id, o := range r.worker.own {
		own[id] = o.token
	}
	r.due = now.Add(r.worker.Lease / 3)
	lost, err := r.worker.Claims.Renew(r.ctx, own)
	if err != nil {
		r.due = now.Add(min(retryTime, r.worker.Lease/12))
	}
	if _, gone := lost[r.id]; gone {
		r.lose()
	}
	return err
}

func (r *renewer) lose() {
	r.lost = true
	r.stop(errLost)
}

// fence is an iteration.Fence: whoever took the claim since it was renewed has the task. One that is gone leaves the branch to a landing.
func (r *renewer) fence(ctx context.Context, id string) error {
	held, err := r.worker.Claims.Copies(ctx)
	if h := held[id]; err == nil && h.Exists() && !h.Is(r.worker.own[id].token) {
		r.lose()
		err = errLost
	}
	return err
}

func (r *renewer) warn(err error) {
	if err != nil && r.ctx.Err() == nil {
		r.worker.warn(r.id, "cannot renew the claim: "+err.Error())
	}
}
