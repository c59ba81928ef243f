package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/mask"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// round works on a task until it is done, blocked or given up. The reason is why the worker ends; "" where it goes on.
func (w *Worker) round(ctx context.Context, t *taken) (why loop.Reason, text string, err error) {
	r := w.newRenewer(ctx, t.task.ID())
	defer r.stop(nil)
	var o origin
	r.beside(func() {
		if o, err = w.originOf(ctx, t.held.Claim, t.before); err == nil {
			err = w.enter(ctx, t, o)
		}
	})
	var s loop.Summary
	was, moves := w.target.tip, w.heads(ctx)
	if err == nil && !r.lost {
		w.report(Claimed, t.task.ID(), t.task.Name(), "on "+strings.TrimPrefix(t.held.Claim.WorkBranch(), "refs/heads/"))
		s, err = w.iterate(ctx, r, t, o)
	}
	lost, stopped := r.lost, ctx
	ctx = context.WithoutCancel(ctx)
	var red error
	r.beside(func() { red = w.checkPushed(ctx, stopped, t.task.ID(), was, w.madeSince(ctx, moves)) })
	end, settleErr := w.settle(ctx, t, o, s, lost, cmp.Or(err, red))
	leaveErr := w.place.leave(ctx, func(text string) { w.report(Kept, t.task.ID(), "", text) })
	if err = cmp.Or(err, settleErr, leaveErr); err != nil {
		return loop.Broken, err.Error(), err
	}
	if end != waitsToLand { // else its claim names it, also where all of it was done by the worker before
		w.deleteEmpty(ctx, t, o)
	}
	if end == waitsToLand && !w.leavesLanding() {
		arrived, err := w.landOwn(stopped, strings.TrimPrefix(t.held.Claim.WorkBranch(), "refs/heads/"))
		if err != nil {
			return loop.Broken, err.Error(), err
		}
		if !arrived {
			w.finished--
		}
	}
	switch s.Why {
	case loop.AgentFails, loop.LimitHit:
		return s.Why, s.Text, nil
	case loop.Interrupted:
		if !lost {
			return s.Why, s.Text, nil
		}
	case loop.NoProgress, loop.Reached:
		if end == givenBack {
			w.pass(t.task.ID()) // else it would be the next one again, without end
		}
	}
	return "", "", nil
}

// enter checks the branch of a task out in the worktree, which is clean.
func (w *Worker) enter(ctx context.Context, t *taken, o origin) error {
	ref := t.held.Claim.WorkBranch()
	was, err := w.Store.Repo().IDAt(ctx, ref)
	if err != nil {
		return err
	}
	name := strings.TrimPrefix(ref, "refs/heads/")
	if was != "" {
		return w.place.git(ctx, "checkout", "--quiet", name, "--")
	}
	if err := w.place.git(ctx, "checkout", "--quiet", "--no-track", "-b", name, o.commit); err != nil {
		return fmt.Errorf("cannot check out the branch of %s: %w", t.task.ID(), err)
	}
	return nil
}

// ready makes sure that agents may be started on what is checked out, and that a new worktree is set up.
func (w *Worker) ready(ctx context.Context) error {
	var err error
	if w.Loop.Agents, w.Loop.Untrusted, err = w.Prepare(ctx, w.place.st); err != nil {
		return err
	}
	return w.place.setup(ctx, w.Loop.Environ)
}

// prepare makes the branch of a task ready for an agent, unless the task is not pending any more there.
func (w *Worker) prepare(ctx context.Context, r *renewer, t *taken, o origin) (pending bool, err error) {
	r.beside(func() {
		if pending, err = w.reopen(ctx, t); err != nil || !pending {
			return
		}
		if err = w.catchUp(ctx, t, o); err == nil {
			w.bringCode(ctx, t)
			err = w.ready(r.ctx)
		}
	})
	if r.lost {
		return false, nil
	}
	return pending, err
}

// iterate runs iterations until the task is not pending any more on its branch, or its claim is lost.
func (w *Worker) iterate(ctx context.Context, r *renewer, t *taken, o origin) (s loop.Summary, err error) {
	if pending, err := w.prepare(ctx, r, t, o); err != nil || !pending {
		return loop.Summary{Why: loop.Reached}, err
	}
	if waits, err := w.waitsNow(ctx, t); err != nil || waits != "" {
		return loop.Summary{Text: waits}, err
	}
	ctx = r.ctx
	config := w.Loop
	config.Store, config.Reporter, config.Fence = w.place.st, r, r.fence
	config.Goals = w.Loop.Goals.Remaining(w.total, w.took())
	config.Goals.Task = t.task.ID()
	config.Environ = append(slices.Clone(w.Loop.Environ), claimVariable+"="+t.task.ID()+":"+t.held.Claim.Token)
	if f := w.own[t.task.ID()].lock.File(); f != nil {
		config.Inherit = append(slices.Clone(config.Inherit), f)
	}
	if w.History != nil {
		config.History = w.History(w.place.st)
	}
	if _, _, err := loop.New(config).Ready(ctx); err != nil {
		return loop.Summary{}, err
	}
	j := journal.Of(w.place.st.Repo().GitDir())
	if config.Run, err = j.Begin(j.RunName(w.Loop.Now(), w.Random), "git ralph work", w.Loop.Settings.KeepRuns); err != nil {
		return loop.Summary{}, err
	}
	defer config.Run.Close()
	s, err = loop.New(config).Run(ctx)
	w.total.Add(s)
	if s.Why == loop.AgentFails || errors.Is(err, errLost) {
		err = nil // which was reported, or is
	}
	return s, err
}

// waitsNow names what the task waits for on its branch, "" for nothing: somebody may have added it to the target just after the claim.
func (w *Worker) waitsNow(ctx context.Context, t *taken) (string, error) {
	p, _, err := w.branchPlan(ctx)
	if err != nil {
		return "", err
	}
	task, _ := p.Task(t.task.ID())
	if waits := p.BlockedBy(task); len(waits) > 0 {
		return "it waits for " + strings.Join(waits, ", "), nil
	}
	return "", nil
}

// claimVariable is set in the environment of an agent to its claim, ID:TOKEN.
const claimVariable = "GIT_RALPH_CLAIM"

// reopen reports whether the task is pending on its branch. Where a landing returned the work, it is rejected there with the reason,
// so that the next agent is given it.
func (w *Worker) reopen(ctx context.Context, t *taken) (pending bool, err error) {
	c := t.held.Claim
	p, head, err := w.branchPlan(ctx)
	if err != nil {
		return false, err
	}
	task, found := p.Task(c.ID)
	if !found || !task.Done() || c.Feedback == "" || c.Commit != head {
		return found && task.Pending(), nil
	}
	reason := fmt.Sprintf(
		"it could not land on %s: %s; merge %s, and make it work with that",
		strings.TrimPrefix(w.Into, "refs/heads/"), c.Feedback, strings.TrimPrefix(w.target.ref, "refs/heads/"),
	)
	_, err = w.place.st.Update(ctx, store.Request{Clean: mask.NewFull().Object, Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		return p.Reject(c.ID, reason)
	}})
	return err == nil, err
}

// branchPlan returns the plan in the worktree, and HEAD.
func (w *Worker) branchPlan(ctx context.Context) (*plan.Plan, string, error) {
	p, err := w.place.st.ValidPlan(ctx)
	if err != nil {
		return nil, "", err
	}
	head, err := w.place.st.Repo().Head(ctx)
	return p, head, err
}

// An ending is what became of the claim of a task.
type ending int

const (
	givenBack   ending = iota // the task is free for others
	gone                      // the claim was lost, or ended with a landing by the agent itself
	waitsToLand               // it is in landing
)

// settle makes sure that the branch of a task has what the agent committed, and sets the claim of a task that is not pending on its branch any more, or is blocked there, to landing. Otherwise it
// releases it, and the branch stays.
func (w *Worker) settle(ctx context.Context, t *taken, o origin, s loop.Summary, lost bool, failed error) (ending, error) {
	id := t.task.ID()
	if err := w.place.rejoin(ctx, func(text string) { w.report(Kept, id, "", text) }); err != nil {
		w.warn(id, err.Error()) // the commits stay where they are
	}
	if lost {
		w.release(ctx, id) //nolint:errcheck // it is gone
		if failed == nil && w.landedByAgent(ctx, t) {
			return gone, nil
		}
		w.report(Released, id, t.task.Name(), "somebody else has the claim; the commits stay on "+strings.TrimPrefix(t.held.Claim.WorkBranch(), "refs/heads/"))
		return gone, nil
	}
	if failed == nil || s.Why == loop.Interrupted {
		done, why, err := w.outcome(ctx, t)
		if err == nil && done {
			return w.finish(ctx, t, o, why)
		}
	}
	if err := w.release(ctx, id); err != nil {
		return givenBack, err
	}
	reason := strings.Trim(string(s.Why)+": "+s.Text, ": ")
	if failed != nil {
		reason = failed.Error()
	} else if s.Why == loop.Reached {
		reason = "it is still pending on the branch of the task, which the agent left"
	}
	w.report(Released, id, t.task.Name(), reason)
	return givenBack, nil
}

// outcome reports whether there is something to land.
func (w *Worker) outcome(ctx context.Context, t *taken) (lands bool, how string, err error) {
	ref, err := w.place.st.Repo().HeadRef(ctx)
	if err != nil || ref != t.held.Claim.WorkBranch() {
		return false, "", err
	}
	snap, err := w.place.st.At(ctx, "HEAD")
	if err != nil {
		return false, "", err
	}
	task, found := snap.Plan.Task(t.task.ID())
	switch {
	case !found:
		return true, "not in the plan any more", nil
	case task.Done():
		return true, "done", nil
	case pipeline.IsReported(snap.Plan, task):
		return true, "reviewed", nil
	case w.setAside(snap.Plan, task):
		return true, "blocked", nil
	}
	return false, "", nil
}

// setAside reports whether a pending task waits on its branch for something that it does not wait for in the target: an issue, or an item that a
// person is needed for.
func (w *Worker) setAside(p *plan.Plan, task plan.Record) bool {
	there, _ := w.target.plan.Task(task.ID())
	known := append(there.Deps(), w.target.plan.BlockedBy(there)...)
	waits := append(task.Deps(), p.BlockedBy(task)...)
	return slices.ContainsFunc(waits, func(id string) bool { return !slices.Contains(known, id) })
}

// finish sets the claim to landing; the branch is on the disk before that. A claim that was lost meanwhile leaves the branch as it is.
func (w *Worker) finish(ctx context.Context, t *taken, o origin, how string) (ending, error) {
	id, ref := t.task.ID(), t.held.Claim.WorkBranch()
	tip, err := w.Store.Repo().IDAt(ctx, ref)
	if err == nil {
		err = flush(ctx, w.Store.Repo(), tip)
	}
	if err == nil {
		err = git.FlushReference(w.Store.Repo(), ref)
	}
	if err != nil {
		return givenBack, err
	}
	_, err = w.Claims.Finish(ctx, id, w.own[id].token, claim.Work{Base: o.base, Branch: ref, Commit: tip})
	if refused, is := errors.AsType[*authority.RefusedError](err); is {
		w.own[id].lock.Release()
		delete(w.own, id)
		if !w.landedByAgent(ctx, t) {
			w.report(Released, id, t.task.Name(), refused.Error())
		}
		return gone, nil
	}
	if err == nil {
		w.finished++
		w.report(Finished, id, t.task.Name(), how)
	}
	return waitsToLand, err
}

// landedByAgent reports whether the target has the branch of a task whose claim is gone, because the agent landed it itself.
func (w *Worker) landedByAgent(ctx context.Context, t *taken) bool {
	id, branch := t.task.ID(), strings.TrimPrefix(t.held.Claim.WorkBranch(), "refs/heads/")
	snap, err := w.Store.At(ctx, t.held.Claim.WorkBranch())
	if err != nil || w.readTarget(ctx) != nil {
		return false
	}
	here, _ := snap.Plan.Task(id)
	there, _ := w.target.plan.Task(id)
	landed := here.Done() && there.Done() && plan.SameAttempt(here.Attempt(), there.Attempt())
	if !landed { // it may be accepted
		_, err := w.Store.Repo().Git().Run(ctx, nil, "merge-base", "--is-ancestor", t.held.Claim.WorkBranch(), w.target.tip)
		landed = err == nil && !w.target.shows[id].Pending
	}
	if landed {
		w.finished++
		w.report(Finished, id, t.task.Name(), "landed by its agent")
		w.report(Landed, id, "", branch+" in "+w.target.tip[:min(9, len(w.target.tip))])
	}
	return landed
}

// deleteEmpty deletes the branch of a task where nothing was committed to it.
func (w *Worker) deleteEmpty(ctx context.Context, t *taken, o origin) {
	ref, r := t.held.Claim.WorkBranch(), w.Store.Repo()
	if tip, err := r.IDAt(ctx, ref); err == nil && tip == o.commit && o.from != ref {
		r.Git().Run(ctx, nil, "update-ref", "-d", ref, tip) //nolint:errcheck // `work clean` deletes it too
	}
}
