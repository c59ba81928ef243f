package uiprogram_test

import (
	"slices"
	"testing"

	"git-ralph/internal/uiprogram"
)

// git-ralph-ui refuses a git-ralph of another version, and does not hand the version on to the programs that it starts.
func TestVersionsMustAgree(t *testing.T) {
	plain := []string{"HOME=/home"}
	started := uiprogram.Environ(uiprogram.Environ(plain, "v1"), "v2")
	if environ, err := uiprogram.Check(started, "v2"); err != nil || !slices.Equal(environ, plain) {
		t.Errorf("the same version: %v, %v", environ, err)
	}
	if _, err := uiprogram.Check(started, "v1"); err == nil || err.Error() != `git-ralph-ui is version "v1", and git-ralph is version "v2"` {
		t.Errorf("another version: %v", err)
	}
	if _, err := uiprogram.Check(plain, "v1"); err != nil {
		t.Errorf("started by hand: %v", err)
	}
}
