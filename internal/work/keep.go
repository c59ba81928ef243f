package work

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
)

// kept says where uncommitted work is now.
type kept struct{ Branch string } // "" where there was none

// keep commits everything in the worktree that is not ignored, also in the middle of a merge or the like, which is then left. It
// goes to the branch that is checked out if that is a branch of workers whose task is not done, else to a branch of its own.
func (p *place) keep(ctx context.Context) (kept, error) {
	r := p.st.Repo()
	operation := r.Operations().Unfinished()
	changes, err := r.Changes(ctx)
	if err != nil || len(changes) == 0 && operation == "" {
		return kept{}, err
	}
	head, err := r.Head(ctx)
	if err != nil {
		return kept{}, err
	}
	tree, err := p.snapshot(ctx)
	if err != nil {
		return kept{}, err
	}
	was, err := r.Git().Run(ctx, nil, "rev-parse", "--verify", head+"^{tree}")
	if err != nil {
		return kept{}, err
	}
	if was == tree && operation == "" { // only the index differs, as after a kill in the middle of this
		return kept{}, p.git(ctx, "reset", "--quiet")
	}
	id, err := commit.WriteCommit(ctx, r, tree, []string{head}, "ralph: keep what was uncommitted in the worktree of "+p.name+"\n")
	if err != nil {
		return kept{}, err
	}
	k := kept{}
	if k.Branch, err = p.store(ctx, id, head, operation != ""); err != nil {
		return k, err
	}
	if err := p.quit(ctx, operation); err != nil {
		return k, err
	}
	if ref, err := r.HeadRef(ctx); err == nil && ref != k.Branch { // HEAD leaves its branch, and the files stay as they are
		if _, err := r.Git().Run(ctx, nil, "update-ref", "--no-deref", "-m", "ralph: keep", "HEAD", id); err != nil {
			return k, err
		}
	}
	return k, p.git(ctx, "reset", "--quiet")
}

// snapshot returns the tree of the worktree's files. What git cannot add, such as a repository without a commit, stays on disk.
func (p *place) snapshot(ctx context.Context) (string, error) {
	r := p.st.Repo()
	index := filepath.Join(r.GitDir(), "ralph-keep.index")
	os.Remove(index)           //nolint:errcheck // what was killed may have left one
	os.Remove(index + ".lock") //nolint:errcheck // see above; nobody else uses them, under the lock of the worker
	defer os.Remove(index)     //nolint:errcheck // see above
	if err := commit.CopyIndex(r.IndexPath(), index); err != nil {
		return "", err
	}
	other := r.WithIndex(index)
	if _, err := other.Git().Run(ctx, nil, "add", "--all", "--ignore-errors", "--", "."); err != nil && ctx.Err() != nil {
		return "", err
	}
	return other.Git().Run(ctx, nil, "write-tree")
}

// store makes a branch hold a commit: the one that is checked out, where that is possible. Both are on the disk before it returns,
// since the files that they were made of may be removed next.
func (p *place) store(ctx context.Context, id, head string, apart bool) (string, error) {
	if err := flush(ctx, p.st.Repo(), id); err != nil {
		return "", err
	}
	ref, err := p.point(ctx, id, head, apart)
	if err == nil {
		err = git.FlushReference(p.st.Repo(), ref)
	}
	return ref, err
}

// flush writes the commits of a branch of workers to the disk. What other branches have is not ours.
func flush(ctx context.Context, r *git.Repo, commit string) error {
	return git.Flush(ctx, r, commit, "--exclude="+strings.TrimPrefix(branchPrefix, "refs/heads/")+"*", "--branches", "--remotes")
}

// point makes a branch point to a commit.
func (p *place) point(ctx context.Context, id, head string, apart bool) (string, error) {
	r := p.st.Repo()
	ref, err := r.HeadRef(ctx)
	if err != nil {
		return "", err
	}
	if !apart && strings.HasPrefix(ref, branchPrefix) && !p.finished(ctx, ref) {
		return ref, git.UpdateReferences(ctx, r, "ralph: keep", []git.ReferenceChange{{Name: ref, Old: head, New: id}})
	}
	if !strings.HasPrefix(ref, branchPrefix) {
		ref = branchPrefix + p.name
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s-left-%d", ref, n)
		if was, err := r.IDAt(ctx, name); err != nil || was != "" {
			if err != nil {
				return "", err
			}
			continue
		}
		return name, git.UpdateReferences(ctx, r, "ralph: keep", []git.ReferenceChange{{Name: name, New: id}})
	}
}

// keepCommits makes a branch for commits that an agent made on none.
func (p *place) keepCommits(ctx context.Context, report func(string)) error {
	r := p.st.Repo()
	head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	branches, err := git.ReferencesBelow(ctx, r, "refs/heads/")
	if err != nil || slices.Contains(slices.Collect(maps.Values(branches)), head) {
		return err
	}
	in, err := r.Git().Run(ctx, nil, "for-each-ref", "--count=1", "--contains="+head, "refs/heads", "refs/remotes", "refs/ralph/remote")
	if err != nil || in != "" {
		return err
	}
	ref, err := p.store(ctx, head, "", true)
	if err == nil {
		report(fmt.Sprintf("kept commits that were on no branch in the worktree of %s on %s", p.name, strings.TrimPrefix(ref, "refs/heads/")))
	}
	return err
}

// finished reports whether the branch that is checked out shows its task as done: its tip is what lands.
func (p *place) finished(ctx context.Context, ref string) bool {
	snap, err := p.st.At(ctx, "HEAD")
	if err != nil {
		return false
	}
	task, found := snap.Plan.Task(taskOf(ref))
	return !found || !task.Pending()
}

// quit ends an operation of git without changing a file.
func (p *place) quit(ctx context.Context, operation string) error {
	switch operation {
	case "":
		return nil
	case "bisect":
		return p.git(ctx, "bisect", "reset", "HEAD")
	}
	return p.git(ctx, operation, "--quit")
}
