package commit

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/git"
)

// stamp identifies one writing of the index.
type stamp struct {
	time time.Time
	size int64
}

func stampOf(index string) (stamp, bool) {
	info, err := os.Stat(index)
	if err != nil {
		return stamp{}, false
	}
	return stamp{time: info.ModTime(), size: info.Size()}, true
}

func (s stamp) String() string { return fmt.Sprintf("%d %d", s.time.UnixNano(), s.size) }

func stampPath(r *git.Repo) string { return filepath.Join(r.GitDir(), "ralph", "index-stamp") }

// ownStamp returns the stamp of the index that a transaction left without moving HEAD, "" for none.
func ownStamp(r *git.Repo) string {
	data, err := os.ReadFile(stampPath(r))
	if err != nil {
		return ""
	}
	return string(data)
}

// rememberStamp spares the next transaction the wait for a HEAD that will not move. It is no loss where it fails.
func rememberStamp(r *git.Repo, index string) {
	s, ok := stampOf(index)
	if !ok || os.MkdirAll(filepath.Dir(stampPath(r)), 0o777) != nil {
		return
	}
	os.WriteFile(stampPath(r), []byte(s.String()), 0o666) //nolint:errcheck // see above
}
