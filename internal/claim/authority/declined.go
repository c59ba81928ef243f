package authority

import (
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/safefile"
)

// declinedFile names the remote that refused our references when it was last pushed to: doctor reports it without contacting it.
const declinedFile = stateDir + "/declined"

func (r *Remote) noteDeclined() {
	safefile.WriteCached(r.repo.CommonDir(), declinedFile, []byte(r.name+"\n"), 0o666) //nolint:errcheck // the error is reported now
}

func (r *Remote) forgetDeclined() {
	os.Remove(filepath.Join(r.repo.CommonDir(), filepath.FromSlash(declinedFile))) //nolint:errcheck // there is none, or the next push tries again
}

// IsDeclined reports whether the remote refused our references when it was last pushed to.
func (c *Claims) IsDeclined() bool {
	data, err := os.ReadFile(filepath.Join(c.repo.CommonDir(), filepath.FromSlash(declinedFile)))
	return err == nil && c.remote != "" && strings.TrimSuffix(string(data), "\n") == c.remote
}
