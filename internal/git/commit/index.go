package commit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/git"
)

// indexEntries are entries of an index by path.
type indexEntries map[string][]indexEntry

// has reports whether there is an entry at a path.
func (e indexEntries) has(path string) bool { return len(e[path]) > 0 }

// IndexState is how the index compares with HEAD at the path of a transaction.
type IndexState int

// The states of an index entry.
const (
	IndexSame     IndexState = iota // as in HEAD; not in either, if HEAD has no such file
	IndexOther                      // other content or mode than in HEAD
	IndexAbsent                     // not in the index, or only intended to be added, though HEAD has it
	IndexUnmerged                   // a merge left it in conflict
)

// IndexEntry is what the index holds at the path of a transaction.
type IndexEntry struct {
	State        IndexState
	ID           string    // blob, "" where there is none
	SkipWorktree bool      // git uses the entry instead of the file, which need not be on disk
	Stages       [3]string // blobs of base, ours and theirs while it is unmerged; "" where a side has none
	assumeValid  bool
	mode         string
}

// lookupIndex finds entries in an index file. It reads a plain index itself, any other one through git.
func lookupIndex(ctx context.Context, r *git.Repo, index string, paths ...string) (indexEntries, error) {
	data, err := os.ReadFile(index)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found, err := findInIndex(data, r.IDSize(), paths)
	if err != nil {
		return askIndex(ctx, r, index, paths)
	}
	return found, nil
}

// Ids of an empty file.
const (
	emptySHA1   = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
	emptySHA256 = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
)

// askIndex reads `git ls-files`: "H 100644 <id> 0\tpath". A lower-case letter means assume-unchanged, S means skip-worktree. An
// empty file cannot be distinguished from one that is only intended to be added; neither has content to lose.
func askIndex(ctx context.Context, r *git.Repo, index string, paths []string) (indexEntries, error) {
	args := []string{"ls-files", "-s", "-v", "-z", "--"}
	if !git.TooManyForArgs(paths) {
		args = append(args, paths...)
	}
	out, err := r.WithIndex(index).Git().Run(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	return parseStages(out), nil
}

// parseStages reads lines of ls-files that end with "<mode> <id> <stage>\tpath", perhaps with a tag before them.
func parseStages(out string) indexEntries {
	found := indexEntries{}
	for line := range strings.SplitSeq(out, "\x00") {
		info, path, ok := strings.Cut(line, "\t")
		tag, rest, _ := strings.Cut(info, " ")
		fields := strings.Fields(rest)
		if len(fields) == 2 {
			tag, fields = "H", strings.Fields(info)
		}
		if !ok || len(fields) != 3 {
			continue
		}
		found[path] = append(found[path], indexEntry{
			mode: fields[0], id: fields[1], stage: int(fields[2][0] - '0'),
			assumeValid: tag == strings.ToLower(tag), skipWorktree: strings.EqualFold(tag, "S"),
			intentToAdd: fields[1] == emptySHA1 || fields[1] == emptySHA256,
		})
	}
	return found
}

// stagesOf returns the blobs of the sides of a file in conflict.
func stagesOf(entries []indexEntry) (blobs [3]string) {
	for _, e := range entries {
		if e.stage > 0 {
			blobs[e.stage-1] = e.id
		}
	}
	return blobs
}

// Unmerged reports whether the index holds a conflict at a path.
func Unmerged(ctx context.Context, r *git.Repo, path string) (bool, error) {
	entries, err := lookupIndex(ctx, r, r.IndexPath(), path)
	return stagesOf(entries[path]) != [3]string{}, err
}

// Tracked reports whether the index has an entry at a path, merged or not.
func Tracked(ctx context.Context, r *git.Repo, path string) (bool, error) {
	entries, err := lookupIndex(ctx, r, r.IndexPath(), path)
	return len(entries[path]) > 0, err
}

// indexState compares the entries at a path with the file in HEAD, whose id is "" where there is none.
func indexState(entries []indexEntry, headID, headMode string) IndexEntry {
	if len(entries) == 0 {
		return absent(headID)
	}
	e := entries[0]
	got := IndexEntry{State: IndexOther, ID: e.id, SkipWorktree: e.skipWorktree, assumeValid: e.assumeValid, mode: e.mode}
	switch {
	case e.stage > 0:
		return IndexEntry{State: IndexUnmerged, Stages: stagesOf(entries)}
	case e.id == headID && e.mode == headMode:
		got.State = IndexSame
	case e.intentToAdd:
		return absent(headID)
	}
	return got
}

func absent(headID string) IndexEntry {
	if headID == "" {
		return IndexEntry{State: IndexSame}
	}
	return IndexEntry{State: IndexAbsent}
}

// CopyIndex hard-links the index. That is safe because git replaces an index and never writes into it, and it keeps the time of
// the last change, by which git recognises entries that may be out of date. If the file system has no hard links, content and
// time are copied.
func CopyIndex(index, copied string) error {
	err := os.Link(index, copied)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	data, err := os.ReadFile(index)
	if err != nil {
		return err
	}
	info, err := os.Stat(index)
	if err != nil {
		return err
	}
	if err := os.WriteFile(copied, data, info.Mode().Perm()); err != nil {
		return err
	}
	return os.Chtimes(copied, info.ModTime(), info.ModTime())
}

// removeStaleCopies removes the copies of the index that killed transactions left. The caller holds the index lock.
func removeStaleCopies(index string) {
	dir, base := filepath.Split(index)
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	for _, name := range names {
		if strings.HasPrefix(name, base+copySuffix) || strings.HasPrefix(name, partName) {
			os.Remove(dir + name) //nolint:errcheck // a leftover copy is harmless
		}
	}
}
