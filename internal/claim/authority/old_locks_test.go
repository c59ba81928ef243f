//go:build unix

package authority_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim/authority"
)

// The lock files of workers that were killed long ago are removed; those of running workers, of the last days, and whatever else
// there may be, are not.
func TestRemoveOldLocks(t *testing.T) {
	home := t.TempDir()
	environ := []string{"HOME=" + home, "XDG_CACHE_HOME=" + home}
	dir := filepath.Join(home, "git-ralph", "locks")
	held, err := authority.HoldLock(environ, "heldheldheld")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	for _, name := range []string{"killedlongago", "killednow", "some file"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-72 * time.Hour)
	for _, name := range []string{"killedlongago", "heldheldheld", "some file"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	authority.RemoveOldLocks(environ)
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if got := strings.Join(left, ", "); got != "heldheldheld, killednow, some file" {
		t.Errorf("left: %s", got)
	}
}
