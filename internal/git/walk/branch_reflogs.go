package walk

import (
	"bytes"
	"context"
	"encoding/hex"
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
		l := BranchReflog{Branch: branch}
		if r.HasReftable() {
			l.Moves = movesFromGit(ctx, r, branch)
		} else if data, err := os.ReadFile(filepath.Join(r.CommonDir(), filepath.FromSlash(branchLogs), filepath.FromSlash(branch))); err == nil {
			l.Began, l.Moves = readLog(r, string(data))
		}
		if l.Moves != nil {
			logs = append(logs, l)
		}
	}
	return logs
}

// readLog reads the file of a log: the time of its first entry, 0 where it does not say, and all entries.
func readLog(r *git.Repo, data string) (began int64, moves []Move) {
	for line := range strings.Lines(data) {
		entry, ok := git.ParseReflogEntry(line, r.IDSize())
		if !ok {
			continue
		}
		if moves == nil {
			began = entry.When
		}
		from, _ := git.ParseHash(entry.Old)
		to, _ := git.ParseHash(entry.New)
		moves = append(moves, Move{from, to, entry.Reason})
	}
	return began, moves
}

// movesFromGit has git print a log, the newest entry first.
func movesFromGit(ctx context.Context, r *git.Repo, branch string) []Move {
	out, err := r.Git().Output(ctx, "log", "-g", "--no-show-signature", "--format=%H %gs", "refs/heads/"+branch, "--")
	if err != nil {
		return nil
	}
	var moves []Move
	var last git.Hash
	lines := bytes.Split(bytes.TrimRight(out, "\n"), []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		hexID, reason, _ := bytes.Cut(lines[i], []byte(" "))
		if id, err := git.ParseHash(string(hexID)); err == nil && len(hexID) == hex.EncodedLen(r.IDSize()) {
			moves = append(moves, Move{last, id, string(reason)})
			last = id
		}
	}
	return moves
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
