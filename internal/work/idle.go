package work

import (
	"context"
	"fmt"
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/loop"
	"git-ralph/internal/schedule"
)

// idle returns why the worker ends although it found no task to claim; "" where it is to wait.
func (w *Worker) idle(s survey) (loop.Reason, string) {
	if w.Wait && w.canChange(s) {
		return "", ""
	}
	sched, others := schedule.Of(w.target.plan), w.readyForOthers()
	switch {
	case w.Wait && s.claimed+s.landing == 0 && len(others) > 0:
		return loop.NoProgress, "no worker that runs takes what is left: " + withRoles(others)
	case sched.Next().Action == schedule.Complete && (w.finished > 0 || w.Wait):
		return loop.Complete, ""
	case sched.Next().Action == schedule.Complete:
		return loop.Nothing, loop.CompleteText
	case s.left == 0 && len(w.reviewed) > 0 && w.stuck():
		return loop.NoProgress, "the review got nowhere"
	case s.left == 0 && w.needsNoAgent(sched):
		return loop.Nothing, w.Task + " needs no agent: landing finishes it"
	case s.left == 0 && w.Task != "":
		return loop.Nothing, w.Task + " is not pending on " + strings.TrimPrefix(w.Into, "refs/heads/")
	case s.left == 0 && w.Rest:
		return w.reached("nothing waits to land, or for a review by the role " + w.Role)
	case s.left == 0:
		return w.reached("no task is left for the role " + w.Role)
	case s.claimed+s.landing > 0 && w.finished > 0:
		return loop.Reached, "what is left is claimed, or waits to land"
	case s.claimed > 0:
		return Held, "others work on all that is left"
	case s.landing > 0:
		return Held, "all that is left is done, and waits to land"
	case s.passed == 0 && loop.GateText(w.target.plan) != "":
		return loop.Gate, loop.GateText(w.target.plan)
	case s.passed > 0 && len(s.blocked) == 0:
		return loop.NoProgress, "the tasks that are left got nowhere"
	}
	return loop.NoProgress, fmt.Sprintf("what is left is blocked: %s", ids(s.blocked))
}

// needsNoAgent reports whether the only task that the worker is to do is one that no agent does.
func (w *Worker) needsNoAgent(sched *schedule.Schedule) bool {
	task, found := w.target.plan.Task(w.Task)
	return found && task.Pending() && !sched.ForAgents(&task)
}

// reached is the end of a worker that has done all there was; or that found nothing.
func (w *Worker) reached(text string) (loop.Reason, string) {
	if w.finished > 0 {
		return loop.Reached, text
	}
	return loop.Nothing, text
}

// canChange reports whether somebody else may change what there is to do: one who has a claim, or one who can begin now, with a
// task of another role that has a worker, or with a review that somebody does.
func (w *Worker) canChange(s survey) bool {
	if w.pullsLeft() && !w.leavesLanding() { // GitHub may
		return true
	}
	now := w.Claims.Protocol()
	for _, seen := range s.seen {
		if seen.Held.Exists() && !now.Over(seen) && now.Stale(seen) == claim.Fresh {
			return true
		}
	}
	if others := w.readyForOthers(); len(others) > 0 && !w.still.lasts(w.stateOf(s), w.maxStill(others)) {
		return true
	}
	for _, stage := range [...]schedule.Stage{schedule.Verify, schedule.Investigate} {
		if text := w.toReview(stage); text != "" && w.reviewed[stage] != text && w.hasReviewer(stage) {
			return true
		}
	}
	return false
}

// waitsForReview reports whether the target has anything for a review.
func (w *Worker) waitsForReview() bool {
	return w.toReview(schedule.Verify) != "" || w.toReview(schedule.Investigate) != ""
}

// stuck reports whether all that is left for reviews got nowhere here.
func (w *Worker) stuck() bool {
	for stage, text := range w.reviewed {
		if w.toReview(stage) == text {
			return true
		}
	}
	return false
}

// pollTime is how often a worker that waits looks at references and locks. It costs about two milliseconds of CPU a second. Notifications of
// the system would not replace it: no event reports that a lock came free.
const pollTime = 250 * time.Millisecond

// sleep waits until the target's or a claim's reference is another one than the survey found, a lock comes free, or a lease runs
// out; with a remote also for a while only, since its references are not seen here.
func (w *Worker) sleep(ctx context.Context, s survey) error {
	all := make([]claim.Seen, 0, len(s.seen))
	for _, seen := range s.seen {
		all = append(all, seen)
	}
	wake := w.Claims.Protocol().Wait(all)
	after := w.maxSleep(s, wake.After)
	for began := time.Now(); after == 0 || time.Since(began) < after; {
		if err := w.pause(ctx, pollTime); err != nil || w.stopRequested() {
			return err
		}
		if changed, err := w.changed(ctx, s, wake.Locks); err != nil || changed {
			return err
		}
	}
	return nil
}

// maxSleep returns how long a worker sleeps at most where nothing that it sees changes; 0 for no limit.
func (w *Worker) maxSleep(s survey, after time.Duration) time.Duration {
	limit := func(d time.Duration) {
		if after == 0 || after > d {
			after = d
		}
	}
	if w.Claims.Remote() != "" {
		limit(remotePause)
	}
	if (s.landing > 0 || w.pullsLeft()) && !w.leavesLanding() || w.waitsForReview() {
		limit(w.againAfter()) // nothing shows that who reviews has ended
	}
	if len(w.readyForOthers()) > 0 {
		limit(startTime) // nor that who does these tasks has
	}
	return after
}

// changed reports whether something is not as a survey found it.
func (w *Worker) changed(ctx context.Context, s survey, locks []string) (bool, error) {
	copies, err := w.Claims.Copies(ctx)
	if err != nil || len(copies) != len(s.seen) {
		return true, err
	}
	for id, h := range copies {
		if h.Object != s.seen[id].Held.Object {
			return true, nil
		}
	}
	for _, id := range locks {
		if authority.ProbeLock(w.Store.Repo().Git().Environ, s.seen[id].Held.Claim.Lock) == claim.LockFree {
			return true, nil
		}
	}
	if w.Claims.Remote() != "" {
		return false, nil
	}
	tip, err := w.Store.Repo().IDAt(ctx, w.Into)
	return tip != w.target.tip, err
}

// pause waits for a time. It returns at once when the worker is to stop.
func (w *Worker) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-w.Loop.StopRequested:
	case <-timer.C:
	}
	return nil
}

// stopRequested reports whether the worker is to end after what it does.
func (w *Worker) stopRequested() bool {
	select {
	case <-w.Loop.StopRequested:
		return true
	default:
		return false
	}
}
