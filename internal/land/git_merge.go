package land

import (
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
	"git-ralph/internal/worktree"
)

// usageStatus is the exit status of a git that does not know an option.
const usageStatus = 129

// mergeTree has git merge two commits without a worktree. Where git is older than 2.38, or a merge driver is configured that may
// look at other files, it gets one.
func (m *merging) mergeTree(ctx context.Context, ours, theirs string) (string, error) {
	if m.drivers {
		return m.mergeInWorktree(ctx, ours, theirs)
	}
	dir, err := m.attributes()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	c := m.repo.Git().Cmd("merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs)
	c.Dir, c.Env = dir, append(worktree.Environ(c.Env), "GIT_DIR="+m.repo.GitDir(), "GIT_WORK_TREE="+dir)
	result, err := m.repo.Git().Exec(ctx, c)
	fields := strings.Split(strings.TrimSuffix(string(result.Stdout), "\x00"), "\x00")
	switch code := proc.ExitCode(err); {
	case err == nil:
		return fields[0], nil
	case code == usageStatus:
		return m.mergeInWorktree(ctx, ours, theirs)
	case code == 1 && len(fields) > 1:
		m.branch.conflict(fields[1:])
		return "", nil
	}
	return "", m.unusable(ctx, err)
}

// unusable takes the branch out that git cannot merge; any other error is returned.
func (m *merging) unusable(ctx context.Context, err error) error {
	if !isGits(ctx, err) {
		return err
	}
	m.branch.refuse(Unusable, shorten(err.Error()))
	return nil
}

// attributes makes a directory with the attributes that the stack has for the files in question, and nothing else. git reads them
// in the worktree that it runs in, and the user's may be on any branch.
func (m *merging) attributes() (string, error) {
	dir, err := os.MkdirTemp("", "git-ralph-land-")
	if err != nil {
		return "", err
	}
	files := map[string]bool{".gitattributes": true}
	for _, name := range m.overlaps {
		for above := path.Dir(name); above != "."; above = path.Dir(above) {
			files[above+"/.gitattributes"] = true
		}
	}
	for name := range files {
		if err := m.export(dir, name); err != nil {
			os.RemoveAll(dir)
			return "", err
		}
	}
	return dir, nil
}

// export writes a file of the stack into a directory.
func (m *merging) export(dir, name string) error {
	e, ok, err := m.trees.Entry(m.stack.tree, name)
	if err != nil || !ok || !e.IsFile() || !filepath.IsLocal(filepath.FromSlash(name)) {
		return err
	}
	text, err := m.trees.Blob(hex.EncodeToString(e.ID))
	if err != nil {
		return err
	}
	to := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

// mergeInWorktree merges two commits in a worktree that is deleted afterwards.
func (m *merging) mergeInWorktree(ctx context.Context, ours, theirs string) (tree string, err error) {
	w, err := worktree.Open(ctx, m.repo)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.Checkout(ctx, ours); isGits(ctx, err) { // which is not the fault of this branch
		m.branch.refuse(Undecided, "the target, with the branches before it, cannot be checked out: "+shorten(err.Error()))
		return "", nil
	} else if err != nil {
		return "", err
	}
	run := func(args ...string) (string, error) {
		c := m.repo.Git().Cmd(args...)
		c.Dir, c.Env = w.Dir(), worktree.Environ(m.repo.Git().UserEnv())
		result, err := m.repo.Git().Exec(ctx, c)
		return strings.TrimRight(string(result.Stdout), "\n\x00"), err
	}
	_, failed := run("-c", "core.hooksPath="+os.DevNull, "-c", "rerere.enabled=false", "merge", "-q", "--no-commit", "--no-ff", theirs)
	unmerged, err := run("diff", "--name-only", "--diff-filter=U", "-z")
	switch {
	case err != nil:
		return "", err
	case unmerged != "":
		m.branch.conflict(strings.Split(unmerged, "\x00"))
		return "", nil
	case failed != nil:
		return "", m.unusable(ctx, failed)
	}
	return run("write-tree")
}
