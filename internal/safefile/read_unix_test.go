//go:build unix

package safefile_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"git-ralph/internal/safefile"
)

// TestReadPipe guards: nothing waits for somebody to write to a pipe.
func TestReadPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := safefile.Read(pipe); !errors.Is(err, safefile.ErrNotFile) {
		t.Error(err)
	}
}
