package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
)

// An agent may work on a branch of its own, or on none. What it committed there belongs to the branch of its task, which is what lands,
// and what the next worker goes on from.

// leftBranch is how an agent has left the branch of its task in a worktree, as far as the reflog of HEAD shows.
type leftBranch struct {
	ref  string          // full name of the branch of a task; "" where HEAD was on none
	made map[string]bool // commits that were made in the worktree since
}

// leftBranch reads the reflog of HEAD. What was made elsewhere, and only checked out here, is not among the commits.
func (p *place) leftBranch(ctx context.Context) leftBranch {
	l := leftBranch{made: map[string]bool{}}
	for _, e := range slices.Backward(git.Reflog(ctx, p.st.Repo(), "HEAD")) {
		how, _, _ := strings.Cut(e.Reason, ":")
		verb, _, _ := strings.Cut(how, " ")
		if slices.Contains([]string{"commit", "merge", "cherry-pick", "revert", "rebase", "pull", "am"}, verb) {
			l.made[e.New] = true
		}
		if from, to, moved := checkedOut(e.Reason); moved && strings.HasPrefix(to, branchPrefix) {
			break
		} else if moved && strings.HasPrefix(from, branchPrefix) {
			l.ref = from
			break
		}
	}
	return l
}

// checkedOut reads the reason of a checkout in a reflog as full names of branches.
func checkedOut(reason string) (from, to string, is bool) {
	names, is := strings.CutPrefix(reason, "checkout: moving from ")
	from, to, found := strings.Cut(names, " to ")
	return "refs/heads/" + from, "refs/heads/" + to, is && found
}

// rejoin makes the branch of a task have the commits that its agent has made on another branch, or on none, and checks it out.
// The other branch stays. Commits that were not made here stay where they are: they may be the user's, who has not published them.
func (p *place) rejoin(ctx context.Context, report func(string)) error {
	r := p.st.Repo()
	on, err := r.HeadRef(ctx)
	if err != nil || strings.HasPrefix(on, branchPrefix) || r.Operations().Unfinished() != "" {
		return err
	}
	l := p.leftBranch(ctx)
	if l.ref == "" {
		return nil
	}
	old, err := r.IDAt(ctx, l.ref)
	if err != nil || old == "" || !p.isPending(ctx, old, l.ref) {
		return err
	}
	head, err := r.Head(ctx)
	if err != nil || head == old || !p.followsOn(ctx, old, head, l.made) {
		return err
	}
	if err := git.UpdateReferences(ctx, r, "ralph: what the agent committed elsewhere", []git.ReferenceChange{{Name: l.ref, Old: old, New: head}}); err != nil {
		return err
	}
	if _, err := r.Git().Run(ctx, nil, "symbolic-ref", "-m", "ralph: back to the branch of the task", "HEAD", l.ref); err != nil {
		return err
	}
	where := "on no branch"
	if on != "" {
		where = "on " + strings.TrimPrefix(on, "refs/heads/")
	}
	report(fmt.Sprintf("the commits that the agent made %s are on %s too", where, strings.TrimPrefix(l.ref, "refs/heads/")))
	return nil
}

// isPending reports whether a commit shows the task of a branch as pending.
func (p *place) isPending(ctx context.Context, commit, ref string) bool {
	snap, err := p.st.At(ctx, commit)
	if err != nil {
		return false
	}
	task, found := snap.Plan.Task(taskOf(ref))
	return found && task.Pending()
}

// followsOn reports whether the first parents from one commit back to another are all among those that were made here.
func (p *place) followsOn(ctx context.Context, old, head string, made map[string]bool) bool {
	out, err := p.st.Repo().Git().Run(ctx, nil, "rev-list", "--first-parent", "--parents", head, "^"+old, "--")
	if err != nil || out == "" {
		return false
	}
	next := head
	for line := range strings.Lines(out) {
		ids := strings.Fields(line)
		if len(ids) < 2 || ids[0] != next || !made[ids[0]] {
			return false
		}
		next = ids[1]
	}
	return next == old
}
