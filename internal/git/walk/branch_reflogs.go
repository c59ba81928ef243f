package walk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/git"
)

// A BranchReflog is the reflog of a local branch: where it was, oldest first. Only the clone in which the branch moved has it.
type BranchReflog struct {
	Branch string
	Began  int64 // seconds since 1970; 0 where it does not say
	Moves  []Move
}

// A Move is an entry of a reflog.
type Move struct {
	Old, New git.Hash // zero where the branch was not there
	Reason   string   // as git words it: "commit: Fix the parser"
}

// branchLogs is the directory of the reflogs of local branches.
const branchLogs = "logs/refs/heads"

// BranchReflogs returns the reflogs of those of the local branches that have one. What cannot be read is left out.
func BranchReflogs(ctx context.Context, r *git.Repo, branches []string) []BranchReflog {
	var logs []BranchReflog
	for _, branch := range branches {
		entries := git.Reflog(ctx, r, "refs/heads/"+branch)
		if len(entries) == 0 {
			continue
		}
		l := BranchReflog{Branch: branch, Began: entries[0].When, Moves: make([]Move, len(entries))}
		for i, e := range entries {
			from, _ := git.ParseHash(e.Old)
			to, _ := git.ParseHash(e.New)
			l.Moves[i] = Move{from, to, e.Reason}
		}
		logs = append(logs, l)
	}
	return logs
}

// BranchReflogsState returns a text that changes whenever the reflog of a local branch does.
func BranchReflogsState(r *git.Repo) string {
	if r.HasReftable() {
		tables, _ := os.ReadFile(filepath.Join(r.CommonDir(), "reftable", "tables.list"))
		return string(tables)
	}
	var b strings.Builder
	root := filepath.Join(r.CommonDir(), filepath.FromSlash(branchLogs))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", path[len(root):], info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(&b, err)
	}
	return b.String()
}
