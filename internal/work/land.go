package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/land"
	"git-ralph/internal/pipeline"
)

// landOwn lands the branch of a task that was finished here. It reports whether the target has it, also where somebody else landed it
// meanwhile.
func (w *Worker) landOwn(ctx context.Context, branch string) (arrived bool, err error) {
	o := w.landing()
	o.Branches = []string{branch}
	o.All = w.Claims.Remote() != "" // clones take turns, and each lands for all that wait
	result, err := w.landBy(ctx, o)
	at := slices.IndexFunc(result.Branches, func(b land.Branch) bool { return b.Name == branch })
	if at < 0 {
		return false, err
	}
	switch result.Branches[at].Outcome {
	case land.Landed, land.Contained:
		arrived = true
	case land.Undecided, land.Claimed:
		w.waits = true
	}
	return arrived, err
}

// landBy lands branches, and reports what became of them. What keeps one from landing is no error: it waits, or goes back to a
// worker.
func (w *Worker) landBy(ctx context.Context, o land.Options) (land.Result, error) {
	var result land.Result
	var err error
	r := w.newRenewer(ctx, "")
	defer r.stop(nil)
	r.beside(func() { result, err = land.Run(ctx, w.Store, w.Claims, o) })
	for _, b := range result.Branches {
		w.reportLanding(b)
	}
	w.reportRed(result)
	if _, locked := errors.AsType[*commit.LockedError](err); locked || isAny(err, commit.ErrInTheWay, land.ErrMoving, authority.ErrRemote, authority.ErrUnknown) {
		w.warn("", "nothing landed: "+err.Error())
		w.waits = true
		return result, nil
	}
	if err != nil {
		err = fmt.Errorf("cannot land: %w", err)
	}
	return result, err
}

// isAny reports whether an error is one of several.
func isAny(err error, all ...error) bool {
	return slices.ContainsFunc(all, func(one error) bool { return errors.Is(err, one) })
}

// landing are the options of a landing.
func (w *Worker) landing() land.Options {
	o := w.Landing
	o.Into = w.Into
	o.Holder = authority.Holder{Worker: w.place.name, Role: w.Role, By: w.By, Into: w.Into, Lease: w.Lease}
	o.Warn = func(text string) { w.warn("", text) }
	return o
}

func (w *Worker) reportLanding(b land.Branch) {
	ids := strings.Join(b.Tasks, ", ")
	if ids == "" { // a review that sends a plan back, or a task that is set aside
		ids = strings.Join(b.Claims, ", ")
	}
	switch b.Outcome {
	case land.Landed:
		w.report(Landed, ids, "", b.Name+" in "+b.Into[:min(9, len(b.Into))])
		return
	case land.Contained:
		return
	}
	text := b.Name + ": " + cmp.Or(string(b.Outcome), "it waits to land")
	if len(b.Paths) > 0 {
		text += " in " + strings.Join(b.Paths, ", ")
	}
	if b.Then != "" {
		text += "; " + b.Then
	}
	if b.Reason != "" { // last, since it may have many lines
		text += ": " + b.Reason
	}
	w.report(Unlanded, ids, "", text)
}

// reportRed reports how the check fails at the target's own tip, once for each way in which it does.
func (w *Worker) reportRed(r land.Result) {
	if r.Red && r.RedOutput != w.red {
		text := "no branch is to blame: at the target's own tip " + r.RedOutput
		if r.Log != "" {
			text += "\nall of the output: " + r.Log
		}
		w.warn("", text)
	}
	w.red = r.RedOutput
}

// LandAgain is after which time a worker tries again to land what could not: files of the user may have been in the way.
const LandAgain = 30 * time.Second

// againAfter is how long the worker waits before it tries again to land, or asks about pull requests.
func (w *Worker) againAfter() time.Duration { return cmp.Or(w.Again, LandAgain) }

// landAll lands what others have finished, and does what follows from what has landed, if that is for this worker. It does not try the
// same again at once.
func (w *Worker) landAll(ctx context.Context, s survey) (did bool, err error) {
	waiting := w.waiting(s)
	if w.leavesLanding() || waiting == "" || waiting == w.unlanded && time.Since(w.tried) < w.againAfter() {
		return false, nil
	}
	w.unlanded, w.tried = waiting, time.Now()
	o := w.landing()
	o.All = true
	result, err := w.landBy(ctx, o)
	w.finished += result.Landed()
	if err == nil {
		w.advance(ctx)
	}
	return true, err
}

func (w *Worker) leavesLanding() bool { return w.NoLand && w.Role != Integrator }

// waiting names the target and all claims in landing for it, "" where there is nothing for a landing.
func (w *Worker) waiting(s survey) string {
	text := ""
	for _, id := range slices.Sorted(maps.Keys(s.seen)) {
		seen := s.seen[id]
		if seen.Held.Bad == "" && seen.Held.Claim.State == claim.Landing && seen.Target != nil && !w.Claims.Protocol().Over(seen) {
			text += " " + seen.Held.Object
		}
	}
	if text == "" && w.follows(s) {
		text = " for items"
	}
	if text == "" {
		return ""
	}
	return w.target.tip + text
}

// follows reports whether a landing has something to do in the target although nothing waits to land: one was killed, or somebody changed the
// target in another way.
func (w *Worker) follows(s survey) bool {
	claimed := map[string]bool{}
	for id, seen := range s.seen {
		claimed[id] = seen.Held.Exists()
	}
	return w.pullsLeft() || pipeline.Follows(w.target.plan, claimed, w.Landing.Integration)
}

// advance does what is due for pull requests. What fails is tried again later.
func (w *Worker) advance(ctx context.Context) {
	if w.Advance == nil || w.readTarget(ctx) != nil || !w.pullsLeft() {
		return
	}
	was := w.target.tip
	r := w.newRenewer(ctx, "")
	defer r.stop(nil)
	r.beside(func() {
		if err := w.Advance(ctx); err != nil && ctx.Err() == nil {
			w.warn("", "pull requests: "+err.Error())
		}
	})
	if w.readTarget(ctx) == nil && w.target.tip != was {
		w.finished++
	}
}

// pullsLeft reports whether the target has pull requests to create, to merge, or to ask about.
func (w *Worker) pullsLeft() bool { return pipeline.PullsLeft(w.target.plan, w.Landing.Integration) }
