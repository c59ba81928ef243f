package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A BranchLog is what the log of a local branch says: where it stood, the oldest first. Only the clone in which the branch
// moved has it.
type BranchLog struct {
	Branch string
	Began  int64 // seconds since 1970; 0 where it does not say
	Moves  []Move
}

// A Move is an entry of a log.
type Move struct {
	Old, New Hash   // zero where the branch was not there
	Reason   string // as git words it: "commit: Fix the parser"
}

// branchLogs is where the logs of local branches lie.
const branchLogs = "logs/refs/heads"

// BranchLogs returns the logs of the local branches that are there, by name. What cannot be read is left out.
func (r *Repo) BranchLogs(ctx context.Context, branches []string) []BranchLog {
	var logs []BranchLog
	for _, branch := range branches {
		l := BranchLog{Branch: branch}
		if r.reftable {
			l.Moves = r.askedMoves(ctx, branch)
		} else if data, err := os.ReadFile(filepath.Join(r.commonDir, filepath.FromSlash(branchLogs), filepath.FromSlash(branch))); err == nil {
			l.Began, l.Moves = began(data), r.moves(data)
		}
		if l.Moves != nil {
			logs = append(logs, l)
		}
	}
	return logs
}

// began returns the time of the first entry of a log.
func began(data []byte) int64 {
	line, _, _ := bytes.Cut(data, []byte("\t"))
	if fields := bytes.Fields(line); len(fields) > 2 {
		seconds, _ := strconv.ParseInt(string(fields[len(fields)-2]), 10, 64)
		return seconds
	}
	return 0
}

// moves reads the file of a log: "<old> <new> <who> <when> <zone>\t<reason>", a line an entry.
func (r *Repo) moves(data []byte) []Move {
	f := r.referenceFiles()
	width := 2 * f.size
	var moves []Move
	for line := range bytes.Lines(data) {
		before, reason, _ := bytes.Cut(line, []byte("\t"))
		if len(before) < 2*width+1 {
			continue
		}
		from, ok1 := f.id(before[:width])
		to, ok2 := f.id(before[width+1 : 2*width+1])
		if ok1 && ok2 {
			moves = append(moves, Move{from, to, strings.TrimRight(string(reason), "\n")})
		}
	}
	return moves
}

// askedMoves asks git for a log, which it gives the newest first.
func (r *Repo) askedMoves(ctx context.Context, branch string) []Move {
	out, err := r.output(ctx, "log", "-g", "--no-show-signature", "--format=%H %gs", "refs/heads/"+branch, "--")
	if err != nil {
		return nil
	}
	f := r.referenceFiles()
	var moves []Move
	var last Hash
	lines := bytes.Split(bytes.TrimRight(out, "\n"), []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		hexID, reason, _ := bytes.Cut(lines[i], []byte(" "))
		if id, ok := f.id(hexID); ok {
			moves = append(moves, Move{last, id, string(reason)})
			last = id
		}
	}
	return moves
}

// BranchLogsState returns a text that changes whenever the log of a local branch does.
func (r *Repo) BranchLogsState() string {
	if r.reftable {
		tables, _ := os.ReadFile(filepath.Join(r.commonDir, "reftable", "tables.list"))
		return string(tables)
	}
	var b strings.Builder
	root := filepath.Join(r.commonDir, filepath.FromSlash(branchLogs))
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
