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

// checkPushed warns of what the agent of a task put on the target itself, and has the check of landings run there. The error is errPushed
// where that fails: the task is rejected then, unless the check failed before as well, for which nobody is to blame.
func (w *Worker) checkPushed(ctx, stopped context.Context, t *taken, was string, made []string) error {
	if len(made) == 0 || w.readTarget(ctx) != nil || w.target.tip == was { // who cannot be reached now is reported by the landing
		return nil
	}
	brought, before, err := w.pushed(ctx, was, made)
	if err != nil || len(brought) == 0 {
		return err
	}
	id, into := t.task.ID(), strings.TrimPrefix(w.Into, "refs/heads/")
	text := fmt.Sprintf("%s has %.9s: landed by its agent (or by hand), without a landing", into, brought[len(brought)-1])
	o := w.landing()
	if o.Check == "" || stopped.Err() != nil {
		w.warn(id, text)
		return nil
	}
	w.warn(id, text+", and so without ralph.land.check, which is run now")
	p := land.Pushed{Task: id, Before: before}
	if shown, _, err := w.branchPlan(ctx); err == nil {
		task, _ := shown.Task(id)
		p.Attempt = task.Attempt()
	}
	red, rejected, err := land.CheckPushed(stopped, w.Store, w.Claims, o, p)
	switch {
	case err != nil && red == "":
		w.warn(id, "the check could not be run: "+err.Error())
		return nil
	case err != nil:
		w.warn(id, "the task cannot be rejected: "+err.Error())
	case red != "" && !rejected:
		w.warn("", "no branch is to blame, or somebody dealt with it meanwhile: "+red)
		return nil
	case red == "":
		return nil
	}
	then := ""
	if rejected {
		then = "; rejected"
	}
	w.report(Unlanded, id, "", "it is on "+into+", and "+red+then)
	return errPushed
}

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
