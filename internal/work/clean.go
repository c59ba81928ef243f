package work

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/land"
	"git-ralph/internal/safefile"
)

// A Left is a worktree or a branch of workers: what Clean removes, or why it stays.
type Left struct {
	Kind  LeftKind
	Name  string // of the worker, or of the branch
	Stays string // why; "" where it is removed
}

// A LeftKind is what a worker leaves.
type LeftKind string

// The kinds.
const (
	LeftWorktree LeftKind = "worktree"
	LeftBranch   LeftKind = "branch"
	LeftRemote   LeftKind = "remote branch" // one of the claims remote
	LeftCode     LeftKind = "code"          // of an Implement, for a pull request; without the beginning of its reference
)

// A Cleaner removes what workers left that is part of the target, and nothing else.
type Cleaner struct {
	Repo      *git.Repo
	Claims    *authority.Claims
	OpenStore OpenStore
	Into      string // full name of the target branch
	DryRun    bool

	dir    Directory
	tip    string
	reader *git.Reader
}

// Clean removes worktrees that no worker uses, without uncommitted work, and at a commit of the target; and then branches of tasks
// whose tip is a commit of the target, and which no claim names and no worktree has checked out; also those at the claims remote. It also
// removes old lock files.
func (c *Cleaner) Clean(ctx context.Context) ([]Left, error) {
	var err error
	if c.dir, err = OpenDirectory(ctx, c.Repo); err != nil {
		return nil, err
	}
	ref, err := c.Claims.Fetched(ctx, c.Into)
	if err != nil {
		return nil, err
	}
	if c.tip, err = c.Repo.IDAt(ctx, ref); err != nil || c.tip == "" {
		return nil, errors.Join(err, noTarget(c.Into, c.tip))
	}
	c.reader = c.Repo.Reader(ctx)
	defer c.reader.Close()
	var all []Left
	for _, name := range c.dir.Workers() {
		left, err := c.worktree(ctx, name)
		if err != nil {
			return all, err
		}
		all = append(all, left)
	}
	if !c.DryRun {
		authority.RemoveOldLocks(c.Repo.Git().Environ)
	}
	claimed, err := c.claimed(ctx)
	if err != nil {
		return all, err
	}
	branches, err := c.branches(ctx, branchPrefix, LeftBranch, claimed)
	if all = append(all, branches...); err != nil {
		return all, err
	}
	code, err := c.branches(ctx, land.CodeReferences, LeftCode, claimed)
	if all = append(all, code...); err != nil {
		return all, err
	}
	remote, err := c.remoteBranches(ctx, claimed)
	return append(all, remote...), err
}

// worktree removes the worktree of a worker, or says why it stays.
func (c *Cleaner) worktree(ctx context.Context, name string) (Left, error) {
	left := Left{Kind: LeftWorktree, Name: name}
	held, err := c.dir.hold(name)
	if _, busy := errors.AsType[*safefile.HeldError](err); busy {
		left.Stays = "its worker is running"
		return left, nil
	}
	if err != nil {
		return left, err
	}
	defer held.Release() //nolint:errcheck // the kernel releases it at the end
	if left.Stays, err = c.whyWorktreeStays(ctx, name); err != nil || left.Stays != "" || c.DryRun {
		return left, err
	}
	return left, runUser(ctx, c.Repo, c.Repo.Git().Dir, "worktree", "remove", filepath.Join(c.dir.path, name))
}

func (c *Cleaner) whyWorktreeStays(ctx context.Context, name string) (string, error) {
	st, err := c.dir.storeAt(ctx, filepath.Join(c.dir.path, name), c.OpenStore)
	if err != nil {
		return err.Error(), nil //nolint:nilerr // what is not a worktree is none of ours
	}
	r := st.Repo()
	if operation := r.Operations().Unfinished(); operation != "" {
		return "git is in the middle of a " + operation, nil
	}
	changes, err := r.Changes(ctx)
	if err != nil {
		return "", err
	}
	if len(changes) > 0 {
		return "it has uncommitted work", nil
	}
	switch inside, err := repositoryIn(r.Root()); {
	case err != nil:
		return "it may contain another repository: " + err.Error(), nil
	case inside != "":
		return "it contains another repository: " + inside, nil
	}
	if _, err := os.Lstat(filepath.Join(r.GitDir(), "modules")); err == nil {
		return "it has submodules", nil
	}
	head, err := r.Head(ctx)
	if err != nil {
		return "", err
	}
	return c.whyNotLanded(head)
}

// repositoryIn finds another repository in a worktree, also where git ignores it, or a worktree of one; "" for none. Its commits may be
// nowhere else: it is a submodule, what a build fetched, or what an agent made.
func repositoryIn(root string) (inside string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == filepath.Join(root, ".git") {
			return err
		}
		switch {
		case strings.EqualFold(d.Name(), ".git"):
			path = filepath.Dir(path)
		case !d.IsDir() || !isBare(path):
			return nil
		}
		if inside, err = filepath.Rel(root, path); err != nil {
			return err
		}
		return fs.SkipAll
	})
	return filepath.ToSlash(inside), err
}

// isBare reports whether a directory is laid out like a bare repository.
func isBare(path string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(path, name)); err != nil {
			return false
		}
	}
	return true
}

// whyNotLanded says why a commit keeps what names it.
func (c *Cleaner) whyNotLanded(commit string) (string, error) {
	landed, err := c.reader.IsAncestor(commit, c.tip)
	if err != nil || landed {
		return "", err
	}
	return "it has commits that have not landed on " + strings.TrimPrefix(c.Into, "refs/heads/"), nil
}

// branches deletes branches, or references to code, that have landed, and says why the others stay.
func (c *Cleaner) branches(ctx context.Context, prefix string, kind LeftKind, claimed map[string]string) ([]Left, error) {
	refs, err := git.ReferencesBelow(ctx, c.Repo, prefix)
	if err != nil {
		return nil, err
	}
	used, err := c.used(ctx, claimed)
	if err != nil {
		return nil, err
	}
	var all []Left
	for ref, commit := range refs {
		left := Left{Kind: kind, Name: strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), land.CodeReferences), Stays: used[ref]}
		if left.Stays == "" {
			if left.Stays, err = c.whyNotLanded(commit); err != nil {
				return nil, err
			}
		}
		if left.Stays == "" && !c.DryRun { // git refuses where it has moved
			change := git.ReferenceChange{Name: ref, Old: commit}
			if err := git.UpdateReferences(ctx, c.Repo, "ralph: clean", []git.ReferenceChange{change}); err != nil {
				return nil, err
			}
		}
		all = append(all, left)
	}
	slices.SortFunc(all, func(a, b Left) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// claimed returns the branches that a claim names, with the reason to keep them.
func (c *Cleaner) claimed(ctx context.Context) (map[string]string, error) {
	claimed := map[string]string{}
	seen, err := c.Claims.See(ctx, nil)
	for id, s := range seen {
		if by := s.Held.Claim; s.Held.Bad == "" {
			claimed[by.Branch] = id + " is claimed"
			claimed[by.WorkBranch()] = id + " is claimed"
		}
	}
	return claimed, err
}

// used returns the branches that a claim names or a worktree has checked out, with the reason.
func (c *Cleaner) used(ctx context.Context, claimed map[string]string) (map[string]string, error) {
	used := maps.Clone(claimed)
	out, err := c.Repo.Git().Run(ctx, nil, "worktree", "list", "--porcelain")
	for line := range strings.Lines(out) {
		if ref, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "branch "); found {
			used[ref] = "a worktree has it checked out"
		}
	}
	return used, err
}
