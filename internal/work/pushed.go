package work

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/land"
)

// An agent may push to the target, or move it, by itself: what it did then has passed no landing, and no check.

// errPushed: what an agent put on the target itself fails the check there.
var errPushed = errors.New("the check fails on the target, where it was put without a landing")

// heads returns how often HEAD of the worktree has moved.
func (w *Worker) heads(ctx context.Context) int {
	return len(git.Reflog(ctx, w.place.st.Repo(), "HEAD"))
}

// madeSince returns the commits that were made in the worktree after HEAD had moved some times.
func (w *Worker) madeSince(ctx context.Context, moves int) (made []string) {
	all := git.Reflog(ctx, w.place.st.Repo(), "HEAD")
	for _, e := range all[min(moves, len(all)):] {
		if isMade(e.Reason) {
			made = append(made, e.New)
		}
	}
	return made
}

// isMade reports whether an entry of a reflog is of a commit that was made then. A fast-forward makes none, nor do the steps with which a
// rebase begins and ends.
func isMade(reason string) bool {
	how, what, _ := strings.Cut(reason, ": ")
	verb, step, _ := strings.Cut(how, " ")
	switch verb {
	case "commit", "cherry-pick", "revert", "am":
		return true
	case "merge", "pull":
		return !strings.HasPrefix(what, "Fast-forward") && !isRebaseEnd(step)
	case "rebase":
		return !isRebaseEnd(step)
	}
	return false
}

func isRebaseEnd(step string) bool {
	return strings.Contains(step, "start") || strings.Contains(step, "finish")
}

// checkPushed warns of what the agent of a task, or of a review, put on the target itself, and has the check of landings run there. The
// error is errPushed where that fails, and did not before.
func (w *Worker) checkPushed(ctx, stopped context.Context, id, was string, made []string) error {
	if len(made) == 0 || w.readTarget(ctx) != nil || w.target.tip == was { // who cannot be reached now is reported by the landing
		return nil
	}
	brought, before, err := w.pushed(ctx, was, made)
	if err != nil {
		w.warn(id, err.Error())
	}
	if err != nil || len(brought) == 0 {
		return nil
	}
	text := fmt.Sprintf("%s has %.9s: landed by its agent (or by hand), without a landing", w.intoName(), brought[len(brought)-1])
	o := w.landing()
	if o.Check == "" || stopped.Err() != nil {
		w.warn(id, text)
		return nil
	}
	w.warn(id, text+", and so without ralph.land.check, which is run now")
	return w.judgePushed(ctx, stopped, o, land.Pushed{Task: id, Before: before})
}

// judgePushed runs the check on the target, and reports how it fails: the task is rejected then, unless it failed before as well.
func (w *Worker) judgePushed(ctx, stopped context.Context, o land.Options, p land.Pushed) error {
	if shown, _, err := w.branchPlan(ctx); err == nil {
		if task, found := shown.Task(p.Task); found {
			p.Attempt = task.Attempt()
		}
	}
	judged, err := land.CheckPushed(stopped, w.Store, w.Claims, o, p)
	if err != nil {
		w.warn(p.Task, "what was put on "+w.intoName()+" cannot be checked, or rejected: "+err.Error())
	}
	switch {
	case judged.Red == "":
		return nil
	case judged.WasRed:
		w.warn("", "no branch is to blame: "+judged.Red)
		return nil
	}
	text := "it is on " + w.intoName() + ", and " + judged.Red
	if judged.Rejected {
		text += "; rejected"
	}
	w.report(Unlanded, p.Task, "", text)
	return errPushed
}

func (w *Worker) intoName() string { return strings.TrimPrefix(w.Into, "refs/heads/") }

// pushed returns the commits that an agent made and that the target has although no landing brought them there, and the commit of the
// target before them. Where a person merges the branch of an agent that works, it looks the same.
func (w *Worker) pushed(ctx context.Context, was string, made []string) (brought []string, before string, err error) {
	reader := w.Store.Repo().Reader(ctx)
	defer reader.Close()
	isIn := func(commit, tip string) bool {
		is, err := reader.IsAncestor(commit, tip)
		return err == nil && is
	}
	brought = slices.DeleteFunc(made, func(commit string) bool { return !isIn(commit, w.target.tip) })
	if len(brought) == 0 {
		return nil, "", nil
	}
	out, err := w.Store.Repo().Git().Run(ctx, nil, "log", "--first-parent", "--reverse", "--format=%H %s", w.target.tip, "^"+was, "--")
	before = was
	for line := range strings.Lines(out) {
		id, subject, _ := strings.Cut(line, " ")
		if slices.ContainsFunc(brought, func(commit string) bool { return isIn(commit, id) }) {
			if strings.HasPrefix(subject, "ralph: land ") {
				brought = nil
			}
			break
		}
		before = id
	}
	return brought, before, err
}
