package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/iteration"
	"git-ralph/internal/journal"
	"git-ralph/internal/land"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/schedule"
)

// A review is what needs no claim, since no task becomes done by it: done tasks are verified, issues become tasks. One worker of a
// clone does each at a time.

// stages are the reviews of the worker's role.
func (w *Worker) stages() []schedule.Stage { return stagesOf(w.Role) }

// stagesOf returns the reviews of a role.
func stagesOf(role string) []schedule.Stage {
	switch role {
	case Any:
		return []schedule.Stage{schedule.Verify, schedule.Investigate}
	case validator:
		return []schedule.Stage{schedule.Verify}
	case analyst:
		return []schedule.Stage{schedule.Investigate}
	}
	return nil
}

// hasReviewer reports whether somebody may do a review: a worker of this clone that runs, or that a team starts. With a remote it
// may be a worker of another clone.
func (w *Worker) hasReviewer(stage schedule.Stage) bool {
	if w.hasTeam() || w.Claims.Remote() != "" || slices.Contains(w.stages(), stage) {
		return true
	}
	return w.anyOther(func(role string) bool { return slices.Contains(stagesOf(role), stage) })
}

// anyOther reports whether another worker of this clone runs with such a role.
func (w *Worker) anyOther(is func(role string) bool) bool {
	return slices.ContainsFunc(w.dir.Workers(), func(name string) bool {
		other, runs := w.dir.Runs(name)
		return runs && name != w.place.name && is(other.Role)
	})
}

// toReview names what the target has for a review, "" for nothing.
func (w *Worker) toReview(stage schedule.Stage) string {
	p := w.target.plan
	records := schedule.Of(p).ToVerify()
	if stage == schedule.Investigate {
		records = iteration.AgentIssues(p)
	}
	if len(records) == 0 {
		return ""
	}
	return reviewedText(records)
}

func reviewedText(records []*plan.Record) string {
	var all []string
	for _, r := range records {
		all = append(all, strings.TrimSpace(r.JSON()))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// review does a review, if there is something for it that did not get nowhere here, and nobody else is at it. What it changes in
// the plan lands at once.
func (w *Worker) review(ctx context.Context, stage schedule.Stage) (did bool, why loop.Reason, text string, err error) {
	held, err := w.holdStage(stage)
	if held == nil || err != nil {
		return false, "", "", err
	}
	defer held.Release()                      //nolint:errcheck // the kernel releases it at the end
	if err := w.readTarget(ctx); err != nil { // another worker may just have ended
		return false, "", "", err
	}
	begin := w.toReview(stage)
	if begin == "" || begin == w.reviewed[stage] {
		return false, "", "", nil
	}
	ref := branchPrefix + strings.ToLower(string(stage)) + "." + fmt.Sprintf("%04x", w.Random(1<<16))
	s, err := w.reviewOn(ctx, stage, ref)
	if err != nil {
		return true, loop.Broken, err.Error(), err
	}
	if w.toReview(stage) == begin {
		w.reviewed[stage] = begin
	} else {
		w.finished++
	}
	if s.Why == loop.AgentFails || s.Why == loop.LimitHit || s.Why == loop.Interrupted {
		return true, s.Why, s.Text, nil
	}
	return true, "", "", nil
}

// holdStage takes the lock of a review; nil where another worker has it.
func (w *Worker) holdStage(stage schedule.Stage) (*safefile.Held, error) {
	if w.toReview(stage) == "" {
		return nil, nil
	}
	dir := filepath.Join(w.dir.notes, "reviews")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	held, err := safefile.TryLock(filepath.Join(dir, strings.ToLower(string(stage))+".lock"), "git ralph work")
	if _, busy := errors.AsType[*safefile.HeldError](err); busy {
		return nil, nil
	}
	return held, err
}

// reviewOn does a review on a new branch from the target's tip, and lands it. A branch without commits is deleted.
func (w *Worker) reviewOn(ctx context.Context, stage schedule.Stage, ref string) (loop.Summary, error) {
	tip, before, stopped := w.target.tip, w.target.plan, ctx
	if err := w.place.git(ctx, "checkout", "--quiet", "--no-track", "-b", strings.TrimPrefix(ref, "refs/heads/"), tip); err != nil {
		return loop.Summary{}, err
	}
	moves := w.heads(ctx)
	s, err := w.runReview(ctx, stage)
	ctx = context.WithoutCancel(ctx)
	w.checkPushed(ctx, stopped, "", tip, w.madeSince(ctx, moves)) //nolint:errcheck // which is reported; a review has no claim to give back
	if err = errors.Join(err, w.place.leave(ctx, func(text string) { w.report(Kept, "", "", text) })); err != nil {
		return s, err
	}
	end, err := w.Store.Repo().IDAt(ctx, ref)
	overtaken := false
	if err == nil && end != tip {
		overtaken, err = w.landReview(stopped, stage, before, ref)
	}
	if err == nil {
		err = w.readTarget(ctx)
	}
	if err != nil {
		return s, err
	}
	return s, w.deleteReview(ctx, ref, tip, end, overtaken)
}

// landReview lands a review, unless another one of the same tasks or issues landed first, as in another clone.
func (w *Worker) landReview(ctx context.Context, stage schedule.Stage, before *plan.Plan, ref string) (overtaken bool, err error) {
	if stage == schedule.Investigate {
		id, err := w.closedMeanwhile(ctx, before, ref)
		if err != nil {
			return false, err
		}
		if id != "" {
			w.warn(id, "somebody else has closed "+id+" meanwhile: what was found here is dropped")
			return true, nil
		}
	}
	o := w.landing()
	o.Branches, o.Review = []string{strings.TrimPrefix(ref, "refs/heads/")}, true
	result, err := w.landBy(ctx, o)
	return slices.ContainsFunc(result.Branches, func(b land.Branch) bool { return b.Outcome == land.Overtaken }), err
}

// closedMeanwhile returns an issue that a review has closed, and that the target does not have any more; "" for none.
func (w *Worker) closedMeanwhile(ctx context.Context, before *plan.Plan, ref string) (string, error) {
	snap, err := w.Store.At(ctx, ref)
	if err == nil {
		err = w.readTarget(ctx)
	}
	if err != nil {
		return "", err
	}
	for _, issue := range iteration.AgentIssues(before) {
		_, open := snap.Plan.Issue(issue.ID())
		_, there := w.target.plan.Issue(issue.ID())
		if !open && !there {
			return issue.ID(), nil
		}
	}
	return "", nil
}

// runReview runs the iterations of a review.
func (w *Worker) runReview(ctx context.Context, stage schedule.Stage) (loop.Summary, error) {
	if err := w.ready(ctx); err != nil {
		return loop.Summary{}, err
	}
	config := w.Loop
	r := w.newRenewer(ctx, "") // a landing may have returned an earlier task to this worker
	defer r.stop(nil)
	config.Store, config.Reporter = w.place.st, r
	config.Goals = w.Loop.Goals.Remaining(w.total, w.took())
	config.Goals.Only = stage
	if w.History != nil {
		config.History = w.History(w.place.st)
	}
	j := journal.Of(w.place.st.Repo().GitDir())
	var err error
	if config.Run, err = j.Begin(j.RunName(w.Loop.Now(), w.Random), "git ralph work", w.Loop.Settings.KeepRuns); err != nil {
		return loop.Summary{}, err
	}
	defer config.Run.Close()
	s, err := loop.New(config).Run(ctx)
	w.total.Add(s)
	if s.Why == loop.AgentFails {
		err = nil // which was reported
	}
	return s, err
}

// deleteReview deletes the branch of a review that is part of the target, or that came too late and changed nothing but the plan: a
// judgement that another one overtook. What else the reviewer committed is kept.
func (w *Worker) deleteReview(ctx context.Context, ref, from, tip string, overtaken bool) error {
	if overtaken {
		files, err := w.Store.Repo().Git().Run(ctx, nil, "log", "-m", "-z", "--format=", "--name-only", "--no-renames", from+".."+tip)
		others := slices.DeleteFunc(strings.Split(files, "\x00"), func(path string) bool { return path == "" || path == w.Store.PlanPath() })
		if err != nil || len(others) > 0 {
			w.report(Kept, "", "", "kept commits of a review that came too late on "+strings.TrimPrefix(ref, "refs/heads/"))
			return err
		}
	}
	reader := w.Store.Repo().Reader(ctx)
	defer reader.Close()
	landed, err := reader.IsAncestor(tip, w.target.tip)
	if err != nil || !landed && !overtaken {
		return err
	}
	_, err = w.Store.Repo().Git().Run(ctx, nil, "update-ref", "-d", ref, tip)
	return err
}
