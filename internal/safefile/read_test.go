package safefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"git-ralph/internal/safefile"
)

// TestRead guards: reading a file of settings has an end, whatever a link in a repository leads to.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	large, file := filepath.Join(dir, "large"), filepath.Join(dir, "file")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, 1<<40), os.WriteFile(file, []byte("x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	rows := map[string]error{large: safefile.ErrTooLarge, filepath.Join(dir, "none"): fs.ErrNotExist, file: nil}
	if _, err := os.Stat("/dev/zero"); err == nil {
		rows["/dev/zero"] = safefile.ErrNotFile
	}
	for path, want := range rows {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(path, link); err != nil {
			t.Skip(err)
		}
		if data, err := safefile.Read(link); !errors.Is(err, want) || (err == nil) != (string(data) == "x") {
			t.Errorf("%s: %d bytes, %v, want %v", path, len(data), err, want)
		}
	}
	if _, err := safefile.Read(dir); err == nil {
		t.Error("a directory was read")
	}
	if _, exists, err := safefile.ReadIfAny(filepath.Join(dir, "none")); exists || err != nil {
		t.Errorf("none: %v, %v", exists, err)
	}
}
