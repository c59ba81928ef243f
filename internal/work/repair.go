package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
)

// repairReason is in the reflogs of branches that were repaired.
const repairReason = "ralph: repair what a power cut left"

// repair removes what a power cut left of objects and claims, and repairs the branches of workers, where the worker before was killed.
// What can be read stays.
func (w *Worker) repair(ctx context.Context, killed []git.EndedProcess) error {
	if len(killed) == 0 {
		return nil
	}
	r := w.Store.Repo()
	for _, path := range git.RemoveDamaged(r, killed[0].Began) {
		w.report(Kept, "", "", "removed an object that is empty or damaged, as after a power cut: "+path)
	}
	for _, ref := range authority.Broken(r) {
		if err := git.RemoveBroken(r, []string{ref}); err != nil {
			return err
		}
		w.report(Kept, "", "", "removed a claim that is empty, as after a power cut: "+ref)
	}
	for _, ref := range git.BrokenBelow(r, branchPrefix) {
		if err := repairBranch(ctx, r, ref, w.target.tip, w.reportKept); err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) reportKept(text string) { w.report(Kept, "", "", text) }

// repair makes the branch and the index of the worktree readable again, where a power cut has damaged them. The files stay as they are.
func (p *place) repair(ctx context.Context, tip string, report func(string)) error {
	r := p.st.Repo()
	if p.made || indexWhole(ctx, r, tip, "HEAD") || !whole(ctx, r, tip, tip) { // else nothing can be found out
		return nil
	}
	if !whole(ctx, r, tip, "HEAD") {
		ref, err := r.HeadRef(ctx)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(ref, branchPrefix) {
			return nil // it is none of ours; what comes next says what is wrong
		}
		if err := repairBranch(ctx, r, ref, tip, report); err != nil {
			return err
		}
	}
	if indexWhole(ctx, r, tip) {
		return nil
	}
	damaged := r.IndexPath() + ".damaged"
	if err := os.Rename(r.IndexPath(), damaged); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	_, err := r.Git().Run(ctx, nil, "read-tree", "HEAD")
	report("made the index of the worktree of " + p.name + " again, which was damaged, as after a power cut; it is now " + damaged)
	return err
}

// repairBranch makes a branch point to the last commit in its reflog of which nothing is missing, else to the target's tip. Another
// worker may have done so meanwhile.
func repairBranch(ctx context.Context, r *git.Repo, ref, tip string, report func(string)) error {
	if err := git.RemoveBroken(r, []string{ref}); err != nil {
		return err
	}
	old, err := r.IDAt(ctx, ref)
	if err != nil {
		return err
	}
	commits := append(reflog(r, ref), old)
	commit := tip
	if i := slices.IndexFunc(commits, func(id string) bool { return id != "" && whole(ctx, r, tip, id) }); i >= 0 {
		commit = commits[i]
	}
	if commit == old {
		return nil
	}
	err = git.UpdateReferences(ctx, r, repairReason, []git.ReferenceChange{{Name: ref, Old: old, New: commit}})
	if err == nil {
		report(fmt.Sprintf("the branch %s was damaged, as after a power cut: set it from %.12q to %.12s", strings.TrimPrefix(ref, "refs/heads/"), old, commit))
	}
	return err
}

// maxMoves is how many moves of a branch are tried.
const maxMoves = 50

// reflog returns the commits that a branch pointed to, the newest first, as far as they can be read.
func reflog(r *git.Repo, ref string) (ids []string) {
	data, err := os.ReadFile(filepath.Join(r.CommonDir(), "logs", filepath.FromSlash(ref)))
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.Trim(string(data), "\x00\n"), "\n")
	for _, line := range slices.Backward(lines[max(0, len(lines)-maxMoves):]) {
		if e, ok := git.ParseReflogEntry(line, r.IDSize()); ok && !slices.Contains(ids, e.New) {
			ids = append(ids, e.New)
		}
	}
	return ids
}

// indexWhole reports whether git can read the index, and has the objects in it and those of commits.
func indexWhole(ctx context.Context, r *git.Repo, tip string, commits ...string) bool {
	_, err := os.Lstat(r.IndexPath())
	return err == nil && whole(ctx, r, tip, append(commits, "--indexed-objects", "--single-worktree")...)
}

// whole reports whether git has all objects of what the arguments of `git rev-list` name, less those of the target.
func whole(ctx context.Context, r *git.Repo, tip string, what ...string) bool {
	args := append([]string{"rev-list", "--quiet", "--objects", "--missing=allow-promisor"}, what...)
	_, err := r.Git().Run(ctx, nil, append(args, "--not", tip)...)
	return err == nil || ctx.Err() != nil
}
