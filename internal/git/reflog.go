package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A ReflogEntry is a line of a reflog: one move of a reference.
type ReflogEntry struct {
	Old, New string // ids; zeros if the reference did not exist
	When     int64  // seconds since 1970; 0 if unknown
	Reason   string // as git words it: "commit: Fix the parser"
}

// ParseReflogEntry reads "<old> <new> <who> <when> <zone>\t<reason>", with ids of idSize bytes, and reports whether line is an
// entry: the first line of a log's tail may be incomplete.
func ParseReflogEntry(line string, idSize int) (ReflogEntry, bool) {
	head, reason, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
	width := hex.EncodedLen(idSize)
	if len(head) < 2*width+1 || head[width] != ' ' {
		return ReflogEntry{}, false
	}
	e := ReflogEntry{Old: head[:width], New: head[width+1 : 2*width+1], Reason: reason}
	if _, err := ParseHash(e.Old); err != nil {
		return ReflogEntry{}, false
	}
	if _, err := ParseHash(e.New); err != nil {
		return ReflogEntry{}, false
	}
	if fields := strings.Fields(head[2*width+1:]); len(fields) > 1 {
		e.When, _ = strconv.ParseInt(fields[len(fields)-2], 10, 64)
	}
	return e, true
}

// Reflog returns the reflog of a reference, given by its full name or as HEAD, oldest entry first. There are none where it has no reflog, or one
// that cannot be read. The times are unknown where references are in a newer format than files.
func Reflog(ctx context.Context, r *Repo, ref string) (entries []ReflogEntry) {
	if r.HasReftable() {
		return reflogFromGit(ctx, r, ref)
	}
	dir := r.CommonDir()
	if ref == "HEAD" { // each worktree has its own
		dir = r.gitDir
	}
	data, err := os.ReadFile(filepath.Join(dir, "logs", filepath.FromSlash(ref)))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		if entry, ok := ParseReflogEntry(line, r.IDSize()); ok {
			entries = append(entries, entry)
		}
	}
	return entries
}

// reflogFromGit has git print a reflog, the newest entry first.
func reflogFromGit(ctx context.Context, r *Repo, ref string) (entries []ReflogEntry) {
	out, err := r.git.Output(ctx, "log", "-g", "--no-show-signature", "--format=%H %gs", ref, "--")
	if err != nil {
		return nil
	}
	last := strings.Repeat("0", hex.EncodedLen(r.IDSize()))
	for _, line := range slices.Backward(strings.Split(strings.TrimRight(string(out), "\n"), "\n")) {
		id, reason, _ := strings.Cut(line, " ")
		if _, err := ParseHash(id); err == nil && len(id) == len(last) {
			entries = append(entries, ReflogEntry{Old: last, New: id, Reason: reason})
			last = id
		}
	}
	return entries
}

// reflogTail is how many bytes are read from the end of a reflog: more than the longest line that matters.
const reflogTail = 4096

// LastHeadMove returns the reason of the last entry in HEAD's reflog, such as "commit (amend): Fix the parser"; "" where there is
// no reflog, or none in a file.
func (r *Repo) LastHeadMove() string {
	tail, err := ReadReflogTail(filepath.Join(r.gitDir, "logs", "HEAD"), reflogTail)
	if err != nil {
		return ""
	}
	lines := bytes.Split(bytes.TrimRight(tail, "\n"), []byte("\n"))
	_, reason, _ := strings.Cut(string(lines[len(lines)-1]), "\t")
	return reason
}

// ReadReflogTail returns up to size bytes from the end of a reflog.
func ReadReflogTail(path string, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tail := make([]byte, min(info.Size(), size))
	_, err = f.ReadAt(tail, info.Size()-int64(len(tail)))
	return tail, err
}
