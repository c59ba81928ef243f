package authority

import (
	"errors"
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

// refusedMoveError says that a remote refuses a change of a branch, whoever pushes it.
type refusedMoveError struct {
	remote, ref string
	err         error // git's words
}

func (e *refusedMoveError) Error() string {
	return "the remote " + e.remote + " refuses a change of " + e.ref + ": " + e.err.Error()
}

func (e *refusedMoveError) Unwrap() error { return e.err }

// IsRefusal reports whether a push was refused for what it would have changed, by the remote or a pre-push hook: nothing has changed.
func IsRefusal(err error) bool {
	_, move := errors.AsType[*refusedMoveError](err)
	_, hook := errors.AsType[*hookError](err)
	return move || hook || errors.Is(err, ErrDeclined)
}
