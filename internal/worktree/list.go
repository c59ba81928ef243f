package worktree

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/git"
)

// A Listed is one of a repository's worktrees, as git lists them.
type Listed struct {
	Dir    string
	Branch string // full name; "" where HEAD is on none
	Bare   bool   // the repository itself, which has no files
	Locked bool   // it may be on a disk that is not there now
}

// List lists the worktrees of a repository, the main one first.
func List(ctx context.Context, r *git.Repo) ([]Listed, error) {
	out, err := r.Git().Run(ctx, nil, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	var all []Listed
	for text := range strings.SplitSeq(out, "\n\n") {
		if t := worktreeIn(text); t.Dir != "" {
			all = append(all, t)
		}
	}
	return all, nil
}

// worktreeIn reads what git says of one worktree.
func worktreeIn(text string) (t Listed) {
	for line := range strings.Lines(text) {
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); name {
		case "worktree":
			t.Dir = value
		case "branch":
			t.Branch = value
		case "bare":
			t.Bare = true
		case "locked":
			t.Locked = true
		}
	}
	return t
}

// IsGone reports whether the directory was deleted. That of a locked one may come back.
func (t Listed) IsGone() bool {
	_, err := os.Lstat(t.Dir)
	return errors.Is(err, os.ErrNotExist) && !t.Locked
}

// IsAt reports whether the files of a directory and of the repository with a git directory say that it is the root of a worktree, as git writes
// them: where they do not, git may still know it. A directory that took the place of a worktree is none.
func IsAt(root, common string) bool {
	own := filepath.Join(root, ".git")
	if filepath.Clean(root) != root || !filepath.IsAbs(root) {
		return false
	}
	if own == common {
		info, err := os.Lstat(own)
		return err == nil && info.IsDir()
	}
	dir, err := git.ReadGitFile(root)
	if err != nil || filepath.Dir(filepath.Clean(dir)) != filepath.Join(common, "worktrees") {
		return false
	}
	back, err := os.ReadFile(filepath.Join(dir, "gitdir"))
	return err == nil && filepath.Clean(strings.TrimSuffix(string(back), "\n")) == own
}
