package work

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/safefile"
)

// repairHead makes the HEAD of the worktree at path again where a power cut has damaged it: git does not open such a worktree. It is
// on the branch again that was checked out last, else at the last commit in its reflog of which nothing is missing, else at the
// target's tip. The files and the index stay as they are.
func repairHead(ctx context.Context, r *git.Repo, path, tip string, report func(string)) error {
	gitDir := gitDirOf(r, path)
	if gitDir == "" {
		return nil // it is no worktree of this repository; what comes next says so
	}
	data, err := os.ReadFile(filepath.Join(gitDir, "HEAD"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || isHead(r, string(data)) {
		return err
	}
	head, err := lastHead(ctx, r, gitDir, tip)
	if err != nil {
		return err
	}
	err = safefile.Write(gitDir, "HEAD", []byte(head+"\n"), 0o666)
	if err == nil {
		report(fmt.Sprintf("the HEAD of the worktree %s was damaged, as after a power cut: set it to %s", filepath.Base(path), strings.TrimPrefix(head, "ref: refs/heads/")))
	}
	return err
}

// gitDirOf returns the git directory of a linked worktree of a repository, "" where there is none.
func gitDirOf(r *git.Repo, path string) string {
	dir, err := git.ReadGitFile(path)
	if err != nil {
		return ""
	}
	if own, err := filepath.Rel(filepath.Join(r.CommonDir(), "worktrees"), dir); err != nil || !filepath.IsLocal(own) || own == "." || own != filepath.Base(own) {
		return ""
	}
	return dir
}

// isHead reports whether git can read a text as a HEAD: a reference, or an id.
func isHead(r *git.Repo, text string) bool {
	text = strings.TrimRight(text, "\r\n ")
	_, err := git.ParseHash(text)
	return err == nil && len(text) == hex.EncodedLen(r.IDSize()) || strings.HasPrefix(text, "ref: refs/")
}

// lastHead returns what HEAD was, as far as its reflog shows.
func lastHead(ctx context.Context, r *git.Repo, gitDir, tip string) (string, error) {
	commits, branch := headLog(r, gitDir)
	if branch != "" && !isRebasing(gitDir) {
		exists, err := r.IDAt(ctx, branch)
		if exists != "" || slices.Contains(git.BrokenBelow(r, branchPrefix), branch) {
			return "ref: " + branch, nil
		}
		if err != nil {
			return "", err
		}
	}
	if i := slices.IndexFunc(commits, func(id string) bool { return whole(ctx, r, tip, id) }); i >= 0 {
		return commits[i], nil
	}
	return tip, nil
}

// headLog reads the reflog of a worktree's HEAD: its commits, the newest first, and the branch that was checked out last.
func headLog(r *git.Repo, gitDir string) (commits []string, branch string) {
	data, err := os.ReadFile(filepath.Join(gitDir, "logs", "HEAD"))
	if err != nil {
		return nil, ""
	}
	lines, decided := strings.Split(strings.Trim(string(data), "\x00\n"), "\n"), false
	for _, line := range slices.Backward(lines[max(0, len(lines)-maxMoves):]) {
		e, ok := git.ParseReflogEntry(line, r.IDSize())
		if !ok {
			continue
		}
		commits = append(commits, e.New)
		if _, to, moved := checkedOut(e.Reason); moved && !decided {
			branch, decided = to, true
		}
	}
	return commits, branch
}

// isRebasing reports whether git is in the middle of a rebase in a worktree, in which HEAD is on no branch.
func isRebasing(gitDir string) bool {
	return slices.ContainsFunc([]string{"rebase-merge", "rebase-apply"}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(gitDir, name))
		return err == nil
	})
}
