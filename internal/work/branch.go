package work

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
)

const branchPrefix = claim.WorkPrefix

// taskOf returns the id in the name of a worker's branch.
func taskOf(ref string) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(ref, branchPrefix), ".")
	return id
}

// origin is where the work on a claimed task begins.
type origin struct {
	commit string // of an earlier branch of the task, else the target's tip
	base   string // the commit of the target that the work began at
	from   string // the earlier branch
}

// originOf finds the newest branch of a task that was returned or abandoned, else the target's tip. before is the claim that was
// taken over, if there was one. A branch on which the work has ended is not gone on from: what ended it never landed, and somebody may
// have done it again since.
func (w *Worker) originOf(ctx context.Context, mine, before claim.Claim) (origin, error) {
	o := origin{commit: w.target.tip, base: w.target.tip}
	r := w.Store.Repo()
	refs := []string{mine.Branch}
	if before.Token != "" {
		refs = append([]string{before.WorkBranch()}, refs...)
	}
	abandoned, err := w.abandoned(ctx, mine.ID)
	if err != nil {
		return o, err
	}
	for _, ref := range append(refs, abandoned...) {
		if ref == "" {
			continue
		}
		commit, err := w.earlier(ctx, ref, mine)
		if err != nil {
			return o, err
		}
		if commit == "" || commit == w.target.tip {
			continue
		}
		bases, err := r.MergeBases(ctx, w.target.tip, commit)
		if err != nil || len(bases) == 0 || bases[0] == commit { // it has landed
			continue
		}
		if w.endedOn(ctx, mine.ID, commit, bases[0]) {
			w.report(Kept, mine.ID, "", "the work begins afresh; what was done before is on "+strings.TrimPrefix(ref, "refs/heads/"))
			continue
		}
		return origin{commit, bases[0], ref}, nil
	}
	return o, nil
}

// endedOn reports whether a task waits on a branch for something that it did not wait for where the branch left the target: a review has
// sent a plan back there, or the task was decomposed.
func (w *Worker) endedOn(ctx context.Context, id, commit, base string) bool {
	waits := func(at string) []string {
		snap, err := w.Store.At(ctx, at)
		if err != nil {
			return nil // whoever goes on from it says so
		}
		task, _ := snap.Plan.Task(id)
		return snap.Plan.BlockedBy(task)
	}
	before := waits(base)
	return slices.ContainsFunc(waits(commit), func(id string) bool { return !slices.Contains(before, id) })
}

// earlier returns the commit of a branch that work on a task may go on from, "" for none.
func (w *Worker) earlier(ctx context.Context, ref string, mine claim.Claim) (string, error) {
	commit := ""
	if w.isWork(ref, mine) {
		if err := w.recoverOwner(ctx, ref); err != nil {
			return "", err
		}
		var err error
		if commit, err = w.Store.Repo().IDAt(ctx, ref); err != nil {
			return "", err
		}
	}
	if ref != mine.Branch || mine.Commit == "" || commit == mine.Commit || w.contains(ctx, commit, mine.Commit) {
		return commit, nil
	}
	return w.fetched(ctx, mine), nil
}

// contains reports whether a commit has another one in its history.
func (w *Worker) contains(ctx context.Context, commit, other string) bool {
	reader := w.Store.Repo().Reader(ctx)
	defer reader.Close()
	is, err := reader.IsAncestor(other, commit)
	return commit != "" && err == nil && is
}

// isWork reports whether a branch of this clone may be that of work on a task. What a claim names that came from a remote is a
// stranger's word: of the user's own branches, which may be nowhere else, it must not publish any. A branch of workers is named after
// its task. In a clone without a claims remote a claim that a landing returned may name a branch that a person made.
func (w *Worker) isWork(ref string, c claim.Claim) bool {
	return strings.HasPrefix(ref, branchPrefix+c.ID+".") || w.Claims.Remote() == "" && ref == c.Branch && c.Commit != ""
}

// fetched returns the commit of a branch that a worker of another clone finished, and that came back; "" where the remote has
// another one, or none.
func (w *Worker) fetched(ctx context.Context, c claim.Claim) string {
	ref, err := w.Claims.Fetched(ctx, c.Branch)
	if err != nil || ref == c.Branch {
		return ""
	}
	if commit, err := w.Store.Repo().IDAt(ctx, ref); err == nil && commit == c.Commit {
		return commit
	}
	return ""
}

// abandoned lists branches of a task, the newest first, on which it is pending in the round that the target shows.
func (w *Worker) abandoned(ctx context.Context, id string) ([]string, error) {
	r := w.Store.Repo()
	refs, err := git.ReferencesBelow(ctx, r, branchPrefix)
	if err != nil {
		return nil, err
	}
	type branch struct {
		ref  string
		time int64
	}
	var all []branch
	reader := r.Reader(ctx)
	defer reader.Close()
	for ref, commit := range refs {
		if taskOf(ref) != id || ref == branchPrefix+id {
			continue
		}
		snap, err := w.Store.At(ctx, commit)
		if err != nil {
			continue // a plan that cannot be read is none to continue with
		}
		round := snap.Plan.Rounds()[id]
		at, err := reader.Time(commit)
		if err == nil && round.Pending && round.After == w.target.shows[id].After {
			all = append(all, branch{ref, at})
		}
	}
	slices.SortFunc(all, func(a, b branch) int { return int(b.time - a.time) })
	var names []string
	for _, b := range all {
		names = append(names, b.ref)
	}
	return names, nil
}

// hasCommits reports whether the branch of an abandoned claim has moved since it was made: then it was not left in vain. What its
// worker left uncommitted is committed first.
func (w *Worker) hasCommits(ctx context.Context, before claim.Claim) bool {
	if err := w.recoverOwner(ctx, before.WorkBranch()); err != nil {
		w.warn("", err.Error())
	}
	return w.Claims.HasCommits(ctx, before)
}
