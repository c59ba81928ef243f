package evidence

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// keptLogs is how many outputs are kept.
const keptLogs = 200

const logSuffix = ".log"

// saveLog writes an output into a file that is named by its hash, as receipts name it, and returns the file; "" where it cannot
// be written, which does not matter to the result. The oldest ones are deleted.
func saveLog(dir, hash, output string) string {
	if os.MkdirAll(dir, 0o777) != nil {
		return ""
	}
	prune(dir)
	file := filepath.Join(dir, hash+logSuffix)
	if os.WriteFile(file, []byte(output), 0o600) != nil {
		return ""
	}
	return file
}

// prune deletes all but the newest outputs, so that one more can be written.
func prune(dir string) {
	entries, _ := os.ReadDir(dir)
	var files []os.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && strings.HasSuffix(entry.Name(), logSuffix) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, old := range files[min(len(files), keptLogs-1):] {
		os.Remove(filepath.Join(dir, old.Name())) //nolint:errcheck // the next one tries again
	}
}

// maxEnd is how much of an output a reason has, in bytes.
const maxEnd = 2 << 10

// Reason says why a check that is Bad rejects its task: how it ended, and the end of its output.
func (r Result) Reason() string {
	end := strings.TrimSpace(r.Output)
	if len(end) > maxEnd {
		end = end[len(end)-maxEnd:]
		_, end, _ = strings.Cut(end, "\n") // from the beginning of a line
	}
	if end == "" {
		return r.Summary()
	}
	return r.Summary() + ":\n" + end
}
