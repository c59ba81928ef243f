package debuglog

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Log is the directory with the files of sessions.
type Log struct {
	Dir string

	fileSize int64           // see maxFile; 0 for that
	opened   func(bytes int) // called with each read; may be nil
}

// Of returns the log of a repository, which all of its worktrees share.
func Of(commonDir string) Log { return Log{Dir: filepath.Join(commonDir, "ralph", "debug")} }

const suffix = ".jsonl"

func (l Log) maxFile() int64 { return cmp.Or(l.fileSize, maxFile) }

// What is kept of old sessions: the newest files, of at most this size together.
const (
	maxFiles = 2000
	maxSize  = 16 * maxFile
)

// A sessionFile is a file of a session.
type sessionFile struct {
	name string
	size int64
	time int64 // when it was last written
}

// files returns the files of all sessions, the newest first.
func (l Log) files() []sessionFile {
	entries, _ := os.ReadDir(l.Dir)
	var all []sessionFile
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		all = append(all, sessionFile{e.Name(), info.Size(), info.ModTime().UnixNano()})
	}
	slices.SortFunc(all, func(a, b sessionFile) int { return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(b.name, a.name)) })
	return all
}

// prune removes the oldest files, so that the log stays within its bounds.
func (l Log) prune() {
	var size int64
	for i, f := range l.files() {
		if size += f.size; i+1 >= maxFiles || size > 16*l.maxFile() {
			os.Remove(filepath.Join(l.Dir, f.name)) //nolint:errcheck // the next session tries again
		}
	}
}
