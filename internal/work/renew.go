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

// A renewer keeps the claims of a worker fresh while its agent runs: it is called with the agent's progress, so that no program
// of ours runs when the agent's are counted.
type renewer struct {
	loop.Reporter
	worker *Worker
	ctx    context.Context
	stop   context.CancelCauseFunc // of the iterations
	id     string
	due    time.Time
	lost   bool
}

// retryTime is when a renewal that failed, as for a remote that is not reached, is tried again.
const retryTime = 30 * time.Second

// Progress renews the claims after each third of their lease.
func (r *renewer) Progress(l loop.Live) {
	if now := time.Now(); !now.Before(r.due) && !r.lost {
		r.renew(now)
	}
	r.Reporter.Progress(l)
}

func (r *renewer) renew(now time.Time) {
	own := authority.Own{}
	for id, o := range r.worker.own {
		own[id] = o.token
	}
	r.due = now.Add(r.worker.Lease / 3)
	lost, err := r.worker.Claims.Renew(r.ctx, own)
	if err != nil {
		r.due = now.Add(min(retryTime, r.worker.Lease/12))
		r.worker.warn(r.id, "cannot renew the claim: "+err.Error())
	}
	if _, gone := lost[r.id]; gone {
		r.lose()
	}
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
